import ParallelTesting
import Testing

@Suite("A log")
struct LogTests {
  private let log = Log<Int>()

  @Test("has what was noted, in the order in which it was")
  func order() {
    #expect(log.all.isEmpty && log.count == 0)
    for entry in 1...3 { log.append(entry) }
    #expect(log.all == [1, 2, 3] && log.count == 3)
  }

  @Test("waits for as many entries as it is asked for, whoever gets there first")
  func first() async {
    async let two = log.first(2)
    async let three = log.first(3)
    await hammer(threads: 3) { thread, _ in log.append(thread) }
    #expect(await Set(three) == [0, 1, 2])
    #expect(await two == Array(log.all.prefix(2)))
    #expect(await log.first(1) == Array(log.all.prefix(1)))
    for count in [0, -1] { #expect(await log.first(count).isEmpty) }
  }

  @Test("does not wait for a task that is cancelled")
  func cancelled() async {
    log.append(1)
    let waiting = Task { await log.first(2) }
    waiting.cancel()
    #expect(await waiting.value == [1])
  }
}
