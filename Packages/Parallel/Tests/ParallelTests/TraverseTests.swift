import Parallel
import Synchronization
import TestSupport
import Testing

@Suite("traverse and sequence")
struct TraverseTests {
  @Test("traverse and sequence of an empty list call back at once with an empty array")
  func empty() {
    #expect(answers(of: [Parallel<Int>]().sequence()) == [[]])
    #expect(answers(of: [Int]().traverse(maxConcurrent: 0) { _ in Parallel<Int> { _ in } }) == [[]])
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
    for _ in 1...2 { parallel.run { log.append("\($0)") } }
    #expect(log.all == once + once)
  }

  @Test(
    "traverse runs exactly as many elements concurrently as its limit allows, and at least one",
    arguments: [Int.min, 0, 1, 2, 3, 9, 10, 11, Int.max])
  func usesWholeLimit(limit: Int) {
    let count = 10
    let log = Log<[Int]>()
    let held = HeldWork<Int>()
    (0..<count).traverse(maxConcurrent: limit) { _ in held.parallel }.run { log.append($0) }
    for answered in 0..<count {
      #expect(held.runCount == min(count, answered + max(1, min(limit, count))))
      held.answer(answered, run: answered)
    }
    #expect(log.all == [Array(0..<count)])
  }

  @Test("traverse keeps its limit when values arrive on many threads", arguments: [1, 2, 3, 8])
  func limitUnderThreads(limit: Int) async throws {
    let gauge = Gauge()
    let values = try await (0..<2_000).traverse(maxConcurrent: limit) { element in
      Parallel<Int> { callback in
        gauge.enter()
        // Every third element calls back at once, so that both paths are tested.
        (element % 3 == 0 ? Parallel(value: element) : .later(element)).run { value in
          gauge.leave()
          callback(value)
        }
      }
    }.value()
    #expect(values == Array(0..<2_000))
    #expect(gauge.peak <= limit)
  }
}

/// Counts the elements that run, and their maximum.
private final class Gauge: Sendable {
  private let current = Atomic(0)
  private let highest = Atomic(0)

  var peak: Int { highest.load(ordering: .relaxed) }

  func enter() {
    highest.max(current.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
  }

  func leave() { current.subtract(1, ordering: .relaxed) }
}
