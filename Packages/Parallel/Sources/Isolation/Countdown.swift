internal import Synchronization

/// A counter for work that several threads complete.
///
/// The last thread that calls ``countDown()`` can read what the others wrote before their calls.
public final class Countdown: Sendable {
  private let remaining: Atomic<Int>

  public init(from count: Int) {
    remaining = Atomic(count)
  }

  /// Counts one down, and returns whether this was the last one.
  public func countDown() -> Bool {
    remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }
}
