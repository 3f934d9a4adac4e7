internal import Synchronization

/// A counter for work that several threads complete: the last one continues.
///
/// What a thread wrote before its call of ``countDown()`` can be read by the last one after its call.
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
