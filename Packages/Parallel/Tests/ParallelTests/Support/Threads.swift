import Dispatch
import Foundation
import Parallel
import ParallelTesting
import Synchronization

extension Parallel where Value: Sendable {
  /// A value that arrives later, on a thread of the system's pool.
  static func later(_ value: Value) -> Parallel {
    Parallel { callback in DispatchQueue.global().async { callback(value) } }
  }
}

/// A number for the calling thread, different for each thread that is alive.
func threadNumber() -> UInt {
  UInt(pthread_self())
}

/// Whether the tests run under ThreadSanitizer.
let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Takes threads through rounds in step: in each round all of them start at the same moment.
///
/// The moment is that of one cache line's way between two cores, so that a step of a few instructions that ought to be
/// atomic, and is not, is caught within some hundred rounds.
func inStep(
  threads: Int, rounds: Int, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
) async {
  let arrivals = Arrivals()
  await hammer(threads: threads, iterations: rounds) { thread, round in
    arrivals.awaitEverybody(goal: (round + 1) * threads)
    body(thread, round)
  }
}

private final class Arrivals: Sendable {
  private let count = Atomic(0)

  func awaitEverybody(goal: Int) {
    count.add(1, ordering: .acquiringAndReleasing)
    var looks = 0
    while count.load(ordering: .acquiring) < goal {
      looks += 1
      // With fewer free cores than threads the others need this one.
      if looks.isMultiple(of: 500) { sched_yield() }
    }
  }
}
