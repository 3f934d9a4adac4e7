import Foundation
import Futures
import TestSupport
import Synchronization
import Testing

/// Combinators that wait for a second future after the first.
///
/// The second future has other listeners.
@Suite("Waiting for a second future while another thread completes it", .serialized)
struct SuccessiveWaitTests {
  typealias Number = Future<Int, Never>

  struct Combinator: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let both: @Sendable (Number, Number) -> Number
  }

  static let combinators: [Combinator] = [
    Combinator(testDescription: "zip") { a, b in a.zip(b).map(immediateExecutionContext) { $0 + $1 } },
    Combinator(testDescription: "sequence") { a, b in
      [a, b].sequence().map(immediateExecutionContext) { $0[0] + $0[1] }
    },
    Combinator(testDescription: "flatMap") { a, b in
      a.flatMap(immediateExecutionContext) { _ in b }.map(immediateExecutionContext) { $0 + 1 }
    },
  ]

  @Test(
    "a combinator and all other listeners get the result of a second future that completes concurrently",
    arguments: combinators)
  func completedConcurrently(_ combinator: Combinator) async {
    let count = 4_000
    let first = (0..<count).map { _ in Promise<Int, Never>() }
    let second = (0..<count).map { _ in Promise<Int, Never>() }
    let others = second.map { promise in (0..<3).map { _ in promise.future.map(immediateExecutionContext) { $0 } } }
    let both = zip(first, second).map { combinator.both($0.future, $1.future) }
    let rendezvous = Rendezvous()
    await hammer(threads: 2) { thread, _ in
      for index in 0..<count {
        rendezvous.meet(index)
        if thread == 0 {
          first[index].success(1)
        } else {
          // Vary the delay, so that the two threads interleave at every point.
          for _ in 0..<index % 200 { rendezvous.spin() }
          second[index].success(2)
        }
      }
    }
    #expect(both.allSatisfy { $0.value == 3 })
    #expect(others.joined().allSatisfy { $0.value == 2 })
  }
}

/// Lets two threads start each round at nearly the same moment.
private final class Rendezvous: Sendable {
  private let arrived = Atomic<Int>(0)
  private let time = Atomic<Int>(0)

  func meet(_ round: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    var spins = 1_000
    while arrived.load(ordering: .acquiring) < 2 * (round + 1) {
      spins -= 1
      if spins < 0 { sched_yield() }
    }
  }

  func spin() { time.add(1, ordering: .relaxed) }
}
