import Parallel
import TestSupport
import Testing

@Suite("zip")
struct ZipTests {
  @Test("zip of no parallels calls back at once")
  func zero() {
    let log = Log<String>()
    zip().run { log.append("answer") }
    #expect(log.all == ["answer"])
    zip(with: { 42 }).run { log.append("\($0)") }
    #expect(log.all == ["answer", "42"])
  }

  @Test("zip of one parallel has its value")
  func one() {
    #expect(answers(of: zip(Sample(value: 1, arrival: .atOnce).parallel)) == [1])
    #expect(answers(of: zip(Sample(value: 1, arrival: .ready).parallel)) == [1])
  }

  @Test("zip of two parallels of different types has the pair of their values")
  func two() {
    let log = Log<String>()
    zip(Parallel(value: 1), Parallel<String> { $0("a") }).run { number, text in log.append("\(number) \(text)") }
    #expect(log.all == ["1 a"])
  }

  @Test("zip of ten parallels of different types keeps the order of their values, for any order of arrival")
  func ten() async throws {
    struct Point: Sendable, Equatable { var x = 1.5 }
    let expected: (Int, String, Bool, Double, [Int], Character, Int?, Point, UInt8, Set<Int>) =
      (1, "a", true, 2.5, [3], "b", nil, Point(), 4, [5])
    let values = try await zip(
      .later(expected.0), .later(expected.1), Parallel(value: expected.2), .later(expected.3), .later(expected.4),
      Parallel { $0("b") }, .later(expected.6), .later(expected.7), .later(expected.8), .later(expected.9)
    ).value()
    #expect((values.0, values.1, values.2, values.3, values.4) == (1, "a", true, 2.5, [3]))
    #expect((values.5, values.6, values.7, values.8, values.9) == ("b", nil, Point(), 4, [5]))
  }

  @Test("zip treats ready values that are nil as values")
  func readyNil() {
    let log = Log<[Int?]>()
    zip(Parallel<Int?>(value: nil)).run { log.append([$0]) }
    zip(Parallel<Int?>(value: nil), Parallel<Int?>(value: 1), with: { [$0, $1] }).run { log.append($0) }
    zip(Parallel<Int?>(value: nil), Parallel<Int?> { $0(nil) }, with: { [$0, $1] }).run { log.append($0) }
    #expect(log.all == [[nil], [nil, 1], [nil, nil]])
  }

  @Test("zip starts every parallel before any calls back")
  func sameTime() {
    let log = Log<String>()
    let held = (HeldWork<Int>(), HeldWork<String>(), HeldWork<Bool>())
    zip(held.0.parallel, held.1.parallel, held.2.parallel).run { log.append("\($0) \($1) \($2)") }
    #expect([held.0.runCount, held.1.runCount, held.2.runCount] == [1, 1, 1])
    held.2.answer(true)
    held.0.answer(1)
    #expect(log.all.isEmpty)
    held.1.answer("a")
    #expect(log.all == ["1 a true"])
  }

  @Test("zip starts its parallels in their order")
  func startOrder() {
    let log = Log<Int>()
    func noted(_ number: Int) -> Parallel<Int> {
      Parallel { callback in
        log.append(number)
        callback(number)
      }
    }
    zip(noted(1), Parallel(value: 0), noted(2), noted(3)).run { _ in log.append(4) }
    #expect(log.all == [1, 2, 3, 4])
  }

  @Test(
    "zip calls back on the thread where the last value arrives, also while the last parallel starts", arguments: [2, 3])
  func threadOfLastValue(count: Int) {
    let log = Log<UInt>()
    let here = Parallel<Int> { $0(1) }
    let elsewhere = Parallel<Int> { callback in
      runOnNewThread {
        log.append(threadNumber())
        callback(2)
      }
    }
    if count == 2 {
      zip(here, elsewhere).run { _ in log.append(threadNumber()) }
    } else {
      zip(here, here, elsewhere).run { _ in log.append(threadNumber()) }
    }
    #expect(log.all.count == 2)
    #expect(log.all.first == log.all.last)
  }

  @Test("zip does not mix the values of two runs")
  func runsDoNotMix() {
    let log = Log<[Int]>()
    let (left, right) = (HeldWork<Int>(), HeldWork<Int>())
    let both = zip(left.parallel, right.parallel, with: { [$0, $1] })
    both.run { log.append($0) }
    both.run { log.append($0) }
    left.answer(1, run: 0)
    right.answer(20, run: 1)
    #expect(log.all.isEmpty)
    left.answer(10, run: 1)
    right.answer(2, run: 0)
    #expect(log.all == [[10, 20], [1, 2]])
  }

  @Test("zip calls back exactly once with all values when threads call back concurrently", arguments: [2, 3])
  func stress(threads: Int) async {
    let runs = 1_000
    let log = Log<[Int]>()
    let callbacks = (0..<3).map { _ in Log<Parallel<Int>.Callback>() }
    let parallels = callbacks.map { callbacks in Parallel<Int> { callbacks.append($0) } }
    let zipped = zip(parallels[0], parallels[1], parallels[2], with: { [$0, $1, $2] })
    for _ in 0..<runs { zipped.run { log.append($0) } }
    let all = callbacks.map(\.all)
    await inStep(threads: threads, rounds: runs) { thread, run in
      for place in 0..<3 where place % threads == thread { all[place][run](run * 10 + place) }
    }
    #expect(log.all.sorted { $0[0] < $1[0] } == (0..<runs).map { run in (0..<3).map { run * 10 + $0 } })
  }

  @Test("zip calls back exactly once when values arrive while other parallels start")
  func stressWhileStarting() async throws {
    for round in 1...500 {
      let values = try await zip(.later(round), .later("\(round)"), .later(-round), .later([round])).value()
      #expect(values == (round, "\(round)", -round, [round]))
    }
  }
}
