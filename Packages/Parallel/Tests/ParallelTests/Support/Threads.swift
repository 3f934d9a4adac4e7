import Dispatch
import Foundation
import Parallel
import TestSupport
import Synchronization

extension Parallel where Value: Sendable {
  /// A parallel whose value arrives later, on a global queue.
  static func later(_ value: Value) -> Parallel {
    Parallel { callback in DispatchQueue.global().async { callback(value) } }
  }
}

/// A number for the calling thread, different for each thread that is alive.
func threadNumber() -> UInt {
  UInt(pthread_self())
}

func runOnNewThread(_ body: @escaping @Sendable () -> Void) {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    end.signal()
  }
  end.wait()
}

let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Runs rounds on several threads, which start each round at the same moment.
///
/// They start nearly at the same moment, so a few hundred rounds find a short operation that is wrongly not atomic.
func inStep(
  threads: Int, rounds: Int, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
) async {
  let arrivals = Arrivals()
  await hammer(threads: threads, iterations: rounds) { thread, round in
    arrivals.awaitAll(goal: (round + 1) * threads)
    body(thread, round)
  }
}

private final class Arrivals: Sendable {
  private let count = Atomic(0)

  func awaitAll(goal: Int) {
    count.add(1, ordering: .acquiringAndReleasing)
    var attempts = 0
    while count.load(ordering: .acquiring) < goal {
      attempts += 1
      // With fewer free cores than threads, the other threads need this core.
      if attempts.isMultiple(of: 500) { sched_yield() }
    }
  }
}
