/// The wait before the next request.
///
/// It computes the wait from the number of failures and 64 random bits, with whole numbers, so that the same events
/// lead to the same waits on every platform. It differs from `RetryPolicy.Backoff` of Futures, which uses a clock and
/// floating-point numbers.
public enum Backoff: Hashable, Sendable {
  case constant(Duration)

  /// A uniformly random time from zero to a limit. The limit starts at `from`, doubles with each consecutive failure, and is at most
  /// `atMost`.
  ///
  /// This is exponential back-off with *full jitter*, so that clients that failed together do not retry together.
  case exponential(from: Duration, atMost: Duration)

  /// Returns the wait after a number of consecutive failures, from 1.
  ///
  /// The same random bits lead to the same wait.
  public func delay(after failures: UInt32, random: UInt64) -> Duration {
    switch self {
    case .constant(let interval): return max(interval, .zero)
    case .exponential(let first, let cap):
      let cap = UInt64(max(0, cap.wholeNanoseconds))
      let (grown, overflow) = UInt64(max(0, first.wholeNanoseconds)).multipliedReportingOverflow(
        by: 1 << min(UInt64(max(failures, 1)) - 1, 62))
      let limit = overflow ? cap : min(grown, cap)
      guard limit < .max else { return .nanoseconds(Int64(clamping: random)) }
      return .nanoseconds(Int64(clamping: random.multipliedFullWidth(by: limit + 1).high))
    }
  }
}
