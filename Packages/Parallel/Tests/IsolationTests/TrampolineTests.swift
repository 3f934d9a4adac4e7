import Isolation
import TestSupport
import Testing

/// Each test runs on a new thread, whose list is empty.
@Suite("Trampoline, Countdown and sleepable")
struct TrampolineTests {
  private static func call(_ body: @escaping () -> Void) {
    Trampoline.call(body, orLater: { body })
  }

  @Test("waiting calls run in the order in which they were added")
  func order() async {
    let log = await onThread {
      let log = Log<Int>()
      Self.nestFull { for number in 1...3 { Self.call { log.append(number) } } }
      return log.all
    }
    #expect(log == [1, 2, 3])
  }

  private static func nestFull(_ depth: Int = 1, _ body: @escaping () -> Void) {
    call { if depth == 32 { body() } else { nestFull(depth + 1, body) } }
  }

  @Test("drain() makes the waiting calls, also in a call that waited itself")
  func drain() async {
    let log = await onThread {
      let log = Log<String>()
      Self.nestFull {
        Self.call { log.append("first") }
        Trampoline.drain()
        log.append("drained")
        Self.call {
          Trampoline.drain()
          log.append("second")
        }
        Self.call { log.append("third") }
      }
      return log.all
    }
    #expect(log == ["first", "drained", "third", "second"])
  }

  @Test("a countdown returns true for the last of concurrent calls only")
  func countdown() async {
    let last = Log<Int>()
    let countdown = Countdown(from: 4_000)
    await hammer(threads: 4, iterations: 1_000) { _, iteration in if countdown.countDown() { last.append(iteration) } }
    #expect(last.count == 1)
  }

  @Test("a sleepable duration is at least zero and at most a hundred years")
  func sleepable() {
    #expect(Duration.seconds(3).sleepable == .seconds(3))
    #expect(Duration.seconds(Int64.min).sleepable == .zero)
    #expect(Duration.seconds(Int64.max).sleepable == .seconds(3_155_760_000 as Int64))
  }
}
