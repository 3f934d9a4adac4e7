import Parallel
import TestSupport
import Testing

@Suite("race")
struct RaceTests {
  @Test("race calls back with the first value that arrives and ignores later ones")
  func firstWins() {
    let log = Log<Int>()
    let held = (0..<3).map { _ in HeldWork<Int>() }
    race(held[0].parallel, held[1].parallel, held[2].parallel).run { log.append($0) }
    #expect(held.map(\.runCount) == [1, 1, 1])
    held[1].answer(1)
    #expect(log.all == [1])
    held[0].answer(0)
    held[2].answer(2)
    #expect(log.all == [1])
  }

  @Test("race starts no further parallels after one has called back at once")
  func synchronousFirst() {
    let log = Log<String>()
    func noted(_ name: String, _ value: Int?) -> Parallel<Int> {
      Parallel { callback in
        log.append(name)
        if let value { callback(value) }
      }
    }
    race(noted("silent", nil), noted("quick", 1), noted("late", 2)).run { log.append("\($0)") }
    #expect(log.all == ["silent", "quick", "1"])
  }

  @Test("race of an empty list never calls back")
  func empty() {
    let log = Log<Int>()
    race().run { log.append($0) }
    [Parallel<Int>]().race().run { log.append($0) }
    #expect(log.all.isEmpty)
  }

  @Test("race of one parallel has its value")
  func one() async throws {
    try await checkProperty("race(p) = p", Sample.any) { p in
      try await race(p.parallel).value() == p.value
    }
  }

  @Test("each run of a race runs all parallels again")
  func cold() {
    let log = Log<Int>()
    let (left, right) = (HeldWork<Int>(), HeldWork<Int>())
    let parallel = race(left.parallel, right.parallel)
    for _ in 1...2 { parallel.run { log.append($0) } }
    right.answer(1, run: 1)
    left.answer(2, run: 0)
    #expect(log.all == [1, 2])
  }

  @Test("race calls back exactly once when two threads call back concurrently")
  func stress() async {
    let runs = 1_000
    let log = Log<Int>()
    let callbacks = (0..<2).map { _ in Log<Parallel<Int>.Callback>() }
    let race = callbacks.map { callbacks in Parallel<Int> { callbacks.append($0) } }.race()
    for run in 0..<runs { race.run { _ in log.append(run) } }
    let all = callbacks.map(\.all)
    await inStep(threads: 2, rounds: runs) { thread, run in all[thread][run](thread) }
    #expect(log.all.sorted() == Array(0..<runs))
  }
}
