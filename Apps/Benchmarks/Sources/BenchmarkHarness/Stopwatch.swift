import Synchronization

/// Measures the parts of a benchmark that count; their times add up.
public final class Stopwatch: Sendable {
  private let now: @Sendable () -> Double
  private let measured = Atomic<UInt64>(0.0.bitPattern)

  init(now: @escaping @Sendable () -> Double) {
    self.now = now
  }

  /// How many nanoseconds the measured parts took.
  var elapsed: Double { Double(bitPattern: measured.load(ordering: .relaxed)) }

  /// Does the work, and notes how long it takes; for one thread at a time.
  public func measure(_ work: () -> Void) {
    let start = now()
    work()
    let took = now() - start
    measured.store((elapsed + took).bitPattern, ordering: .relaxed)
  }
}
