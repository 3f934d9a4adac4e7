import Parallel
import TestSupport
import Synchronization
import Testing

@Suite("traverse and sequence")
struct TraverseTests {
  @Test("traverse and sequence return the values in the order of the elements, for any order of arrival")
  func order() async throws {
    let arrivals = Generator<[Sample]>.array(of: Sample.any, count: 0...30)
    try await checkProperty("sequence keeps the order", arrivals) { samples in
      try await samples.map(\.parallel).sequence().value() == samples.map(\.value)
    }
    try await checkProperty("traverse keeps the order", arrivals, .int(in: -2...40)) { samples, limit in
      let values: [Int] = try await samples.traverse(maxConcurrent: limit) { sample in sample.parallel }.value()
      return values == samples.map(\.value)
    }
  }

  @Test("traverse with a function equals mapping with it and then sequence")
  func agree() async throws {
    try await checkProperty("traverse(f) = map(f).sequence()", .array(of: .int, count: 0...9)) { numbers in
      let traversed = try await numbers.traverse { Parallel<Int>.later($0) }.value()
      let sequenced = try await numbers.map { Parallel<Int>.later($0) }.sequence().value()
      return traversed == sequenced
    }
  }

  @Test("traverse and sequence of an empty list call back at once with an empty array")
  func empty() {
    #expect(answers(of: [Parallel<Int>]().sequence()) == [[]])
    #expect(answers(of: [Int]().traverse { _ in Parallel<Int> { _ in } }) == [[]])
    #expect(answers(of: [Int]().traverse(maxConcurrent: 0) { _ in Parallel<Int> { _ in } }) == [[]])
  }

  @Test("traverse keeps nil values in their place")
  func nils() {
    #expect(answers(of: [1, nil, 3].traverse { Parallel<Int?>(value: $0) }) == [[1, nil, 3]])
    #expect(
      answers(of: [1, nil, 3].traverse(maxConcurrent: 1) { value in Parallel<Int?> { $0(value) } }) == [[1, nil, 3]])
  }

  @Test("parallels that call back from last to first have their values in the order of the elements")
  func lastToFirst() {
    let log = Log<[Int]>()
    let held = HeldWork<Int>()
    (0..<5).traverse { _ in held.parallel }.run { log.append($0) }
    #expect(held.runCount == 5)
    for index in (0..<5).reversed() {
      #expect(log.all.isEmpty)
      held.answer(index * 10, run: index)
    }
    #expect(log.all == [[0, 10, 20, 30, 40]])
  }

  @Test("each run of a traverse transforms every element once, just before it starts that element")
  func transformsOnce() {
    let log = Log<String>()
    let parallel = [1, 2].traverse(maxConcurrent: 1) { element in
      log.append("transform \(element)")
      return Parallel<Int> { callback in
        log.append("start \(element)")
        callback(element)
      }
    }
    #expect(log.all.isEmpty)
    let once = ["transform 1", "start 1", "transform 2", "start 2", "[1, 2]"]
    parallel.run { log.append("\($0)") }
    #expect(log.all == once)
    parallel.run { log.append("\($0)") }
    #expect(log.all == once + once)
  }

  @Test(
    "traverse runs exactly as many elements concurrently as its limit allows", arguments: [1, 2, 3, 7, 10, 11, Int.max])
  func usesWholeLimit(limit: Int) {
    let count = 10
    let log = Log<[Int]>()
    let held = HeldWork<Int>()
    (0..<count).traverse(maxConcurrent: limit) { _ in held.parallel }.run { log.append($0) }
    for answered in 0..<count {
      #expect(held.runCount == min(count, answered + min(limit, count)))
      held.answer(answered, run: answered)
    }
    #expect(log.all == [Array(0..<count)])
  }

  @Test("a traverse limit below one counts as one", arguments: [0, -1, Int.min])
  func limitBelowOne(limit: Int) {
    let log = Log<[Int]>()
    let held = HeldWork<Int>()
    (0..<3).traverse(maxConcurrent: limit) { _ in held.parallel }.run { log.append($0) }
    for index in 0..<3 {
      #expect(held.runCount == index + 1)
      held.answer(index, run: index)
    }
    #expect(log.all == [[0, 1, 2]])
  }

  @Test("traverse keeps its limit when values arrive on many threads", arguments: [1, 2, 3, 8])
  func limitUnderThreads(limit: Int) async throws {
    let gauge = Gauge()
    let values = try await (0..<2_000).traverse(maxConcurrent: limit) { element in
      Parallel<Int> { callback in
        gauge.enter()
        // Every third element calls back at once, so that both paths are tested.
        if element % 3 == 0 {
          gauge.leave()
          callback(element)
        } else {
          Parallel.later(element).run { value in
            gauge.leave()
            callback(value)
          }
        }
      }
    }.value()
    #expect(values == Array(0..<2_000))
    #expect(gauge.peak <= limit)
    if limit == 1 { #expect(gauge.peak == 1) }
  }

  @Test("traverse counts each callback once when threads race")
  func stress() async {
    for _ in 1...50 {
      let log = Log<[Int]>()
      let held = (0..<64).map { _ in HeldWork<Int>() }
      held.indices.traverse { held[$0].parallel }.run { log.append($0) }
      await hammer(threads: 4, iterations: 16) { thread, iteration in
        let index = iteration * 4 + thread
        held[index].answer(index)
      }
      #expect(log.all == [Array(0..<64)])
    }
  }

  @Test(
    "traverse of a hundred thousand parallels that call back at once does not overflow the stack",
    arguments: [1, 4, Int.max])
  func veryMany(limit: Int) async {
    let count = 100_000
    let sum = await onThread {
      let log = Log<Int>()
      (0..<count).traverse(maxConcurrent: limit) { element in Parallel<Int> { $0(element) } }
        .run { values in log.append(values.count == count ? values.reduce(0, +) : -1) }
      return log.all
    }
    #expect(sum == [count * (count - 1) / 2])
  }

  @Test("traverse accepts a sequence that can be iterated only once, and can run several times")
  func onePass() {
    var next = 0
    let once = AnyIterator {
      next += 1
      return next <= 3 ? next : nil
    }
    let parallel = once.traverse { Parallel(value: $0 * 2) }
    #expect(answers(of: parallel) == [[2, 4, 6]])
    #expect(answers(of: parallel) == [[2, 4, 6]])
  }
}

/// Counts the elements that run, and their maximum.
private final class Gauge: Sendable {
  private let current = Atomic(0)
  private let highest = Atomic(0)

  var peak: Int { highest.load(ordering: .relaxed) }

  func enter() {
    let now = current.add(1, ordering: .relaxed).newValue
    highest.max(now, ordering: .relaxed)
  }

  func leave() { current.subtract(1, ordering: .relaxed) }
}
