import Foundation
import Futures
import ParallelTesting
import Synchronization
import Testing

/// What waits for one future and then for another, while that one is completed by another thread and others listen to it.
@Suite("What goes on to wait for a future that is completed in that moment", .serialized)
struct SuccessiveWaitTests {
  typealias Number = Future<Int, Never>

  struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let both: @Sendable (Number, Number) -> Number
  }

  static let ways: [Way] = [
    Way(testDescription: "zip") { a, b in a.zip(b).map(immediateExecutionContext) { $0 + $1 } },
    Way(testDescription: "sequence") { a, b in [a, b].sequence().map(immediateExecutionContext) { $0[0] + $0[1] } },
    Way(testDescription: "flatMap") { a, b in
      a.flatMap(immediateExecutionContext) { _ in b }.map(immediateExecutionContext) { $0 + 1 }
    },
  ]

  @Test("has its result, as the others have, and so has all that comes after", arguments: ways)
  func completedMeanwhile(_ way: Way) async {
    let count = 4_000
    let first = (0..<count).map { _ in Promise<Int, Never>() }
    let second = (0..<count).map { _ in Promise<Int, Never>() }
    let others = second.map { promise in (0..<3).map { _ in promise.future.map(immediateExecutionContext) { $0 } } }
    let both = zip(first, second).map { way.both($0.future, $1.future) }
    let ready = Pace()
    await hammer(threads: 2) { thread, _ in
      for index in 0..<count {
        ready.meet(index)
        if thread == 0 {
          first[index].success(1)
        } else {
          // A little later each time, so that the two meet at every point of what they do.
          for _ in 0..<index % 200 { ready.linger() }
          second[index].success(2)
        }
      }
    }
    #expect(both.allSatisfy { $0.value == 3 })
    #expect(others.joined().allSatisfy { $0.value == 2 })
  }
}

/// Lets two threads begin each round at the same moment, as near as threads can.
private final class Pace: Sendable {
  private let arrived = Atomic<Int>(0)
  private let time = Atomic<Int>(0)

  func meet(_ round: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    var patience = 1_000
    while arrived.load(ordering: .acquiring) < 2 * (round + 1) {
      patience -= 1
      if patience < 0 { sched_yield() }
    }
  }

  func linger() { time.add(1, ordering: .relaxed) }
}
