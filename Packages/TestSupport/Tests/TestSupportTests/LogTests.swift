import TestSupport
import Testing

@Suite("Logs of tests")
struct LogTests {
  private let log = Log<Int>()

  @Test("a log has its entries in the order in which they were appended")
  func order() {
    #expect(log.all.isEmpty && log.count == 0)
    for entry in 1...3 { log.append(entry) }
    #expect(log.all == [1, 2, 3] && log.count == 3)
  }

  @Test("first(_:) waits until the log has that many entries, and returns the first ones")
  func first() async {
    async let two = log.first(2)
    async let three = log.first(3)
    await hammer(threads: 3) { thread, _ in log.append(thread) }
    #expect(await Set(three) == [0, 1, 2])
    #expect(await two == Array(log.all.prefix(2)))
    #expect(await log.first(1) == Array(log.all.prefix(1)))
    for count in [0, -1] { #expect(await log.first(count).isEmpty) }
  }

  @Test("first(_:) in a cancelled task returns the entries so far")
  func cancelled() async {
    log.append(1)
    let waiting = Task { await log.first(2) }
    waiting.cancel()
    #expect(await waiting.value == [1])
  }
}
