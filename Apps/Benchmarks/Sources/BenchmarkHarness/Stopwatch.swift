import Synchronization

/// Measures selected parts of a benchmark and adds up their times.
public final class Stopwatch: Sendable {
  private let now: @Sendable () -> Double
  private let measured = Atomic<UInt64>(0.0.bitPattern)

  init(now: @escaping @Sendable () -> Double) {
    self.now = now
  }

  /// The total time of the measured parts, in nanoseconds.
  var elapsed: Double { Double(bitPattern: measured.load(ordering: .relaxed)) }

  /// Performs the work and adds its time.
  ///
  /// Not safe for concurrent calls.
  public func measure(_ work: () -> Void) {
    let start = now()
    work()
    let took = now() - start
    measured.store((elapsed + took).bitPattern, ordering: .relaxed)
  }
}
