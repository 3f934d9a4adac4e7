import Synchronization

/// Measures the part of a benchmark that counts.
public final class Stopwatch: Sendable {
  private let now: @Sendable () -> Double
  private let measured = Atomic<UInt64>(0)

  init(now: @escaping @Sendable () -> Double) {
    self.now = now
  }

  /// How many nanoseconds the measured part took.
  var elapsed: Double { Double(bitPattern: measured.load(ordering: .relaxed)) }

  /// Does the work, and notes how long it takes.
  public func measure(_ work: () -> Void) {
    let start = now()
    work()
    measured.store((now() - start).bitPattern, ordering: .relaxed)
  }
}
