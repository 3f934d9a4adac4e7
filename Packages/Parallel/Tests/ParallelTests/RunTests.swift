import Parallel
import TestSupport
import Testing

@Suite("Runs of map, flatMap, zip and race")
struct RunTests {
  let log = Log<String>()

  private func noted(_ name: String, _ value: Int?) -> Parallel<Int> {
    Parallel { [log] callback in
      log.append(name)
      if let value { callback(value) }
    }
  }

  @Test("a parallel does nothing until it is run, and does its work again in each run")
  func eachRunWorks() {
    let parallel = noted("work", 20).map { [log] value in
      log.append("map")
      return value + 1
    }
    #expect(log.all.isEmpty)
    for _ in 1...2 { parallel.run { [log] in log.append("value \($0)") } }
    #expect(log.all == ["work", "map", "value 21", "work", "map", "value 21"])
  }

  @Test("flatMap creates and runs the second parallel once in each run, after the first has called back")
  func flatMapOrder() {
    let (first, second) = (HeldWork<Int>(), HeldWork<String>())
    let parallel = first.parallel.flatMap { [log] value in
      log.append("transform \(value)")
      return second.parallel
    }
    for run in 0...1 {
      parallel.run { [log] in log.append($0) }
      #expect(second.runCount == run)
      first.answer(run, run: run)
      #expect(second.runCount == run + 1)
      second.answer("done", run: run)
    }
    #expect(log.all == ["transform 0", "done", "transform 1", "done"])
  }

  @Test("zip of no parallels calls back at once")
  func emptyZip() {
    zip().run { [log] in log.append("answer") }
    zip(with: { 42 }).run { [log] in log.append("\($0)") }
    #expect(log.all == ["answer", "42"])
  }

  @Test("zip of ten parallels of different types keeps the order of their values, for any order of arrival")
  func zipOfTen() async throws {
    for _ in 1...100 {
      let values = try await zip(
        .later(1), .later("a"), Parallel(value: true), .later(2.5), .later([3]), Parallel { $0(Character("b")) },
        .later(Int?.none), .later(1...2), .later(UInt8(4)), .later(Set([5]))
      ).value()
      #expect((values.0, values.1, values.2, values.3, values.4) == (1, "a", true, 2.5, [3]))
      #expect((values.5, values.6, values.7, values.8, values.9) == ("b", nil, 1...2, 4, [5]))
    }
  }

  @Test("zip starts its parallels in order, before any calls back")
  func zipStarts() {
    let held = HeldWork<Int>()
    zip(noted("first", 1), held.parallel, noted("third", 3)).run { [log] in log.append("\($0) \($1) \($2)") }
    #expect(log.all == ["first", "third"])
    held.answer(2)
    #expect(log.all == ["first", "third", "1 2 3"])
  }

  @Test("zip calls back on the thread where the last value arrives, also while the last parallel starts")
  func threadOfLastValue() {
    let threads = Log<UInt>()
    let elsewhere = Parallel<Int> { callback in
      runOnNewThread {
        threads.append(threadNumber())
        callback(2)
      }
    }
    zip(Parallel<Int> { $0(1) }, elsewhere).run { _ in threads.append(threadNumber()) }
    #expect(threads.all.count == 2)
    #expect(threads.all.first == threads.all.last)
  }

  @Test("race starts all parallels, calls back with the first value that arrives and ignores later ones")
  func firstWins() {
    let values = Log<Int>()
    let held = (0..<3).map { _ in HeldWork<Int>() }
    race(held[0].parallel, held[1].parallel, held[2].parallel).run { values.append($0) }
    #expect(held.map(\.runCount) == [1, 1, 1])
    for place in [1, 0, 2] { held[place].answer(place) }
    #expect(values.all == [1])
  }

  @Test("race starts no further parallels after one has called back at once, and none for an empty list")
  func synchronousFirst() {
    race(noted("silent", nil), noted("quick", 1), noted("late", 2)).run { [log] in log.append("\($0)") }
    [Parallel<Int>]().race().run { [log] in log.append("\($0)") }
    #expect(log.all == ["silent", "quick", "1"])
  }
}
