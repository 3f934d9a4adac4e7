/// How long to wait before another try.
///
/// A number of failures and 64 random bits in, a time out: whole numbers throughout, without a generator or a clock, so that a
/// machine that is fed the same events pauses for the same times everywhere. `RetryPolicy.Backoff` of Futures has the same words
/// and is another thing: it belongs to a retry with a clock, leaves chance to the policy around it, and reckons with fractions.
public enum Backoff: Hashable, Sendable {
  /// The same time, always.
  case constant(Duration)

  /// A time between nothing and a limit, each as likely as any other; the limit begins with `from`, doubles with each
  /// failure in a row, and stays at `atMost`.
  ///
  /// This is exponential back-off with *full jitter*: clients that failed together do not come back together.
  case exponential(from: Duration, atMost: Duration)

  /// The time to wait.
  ///
  /// - Parameters:
  ///   - failures: How many there were in a row; the first is 1.
  ///   - random: 64 random bits. The same bits give the same time.
  /// - Returns: Never less than zero; whole nanoseconds for the exponential one.
  public func delay(after failures: UInt32, random: UInt64) -> Duration {
    switch self {
    case .constant(let interval): return max(interval, .zero)
    case .exponential(let first, let cap):
      let cap = cap.wholeNanoseconds
      let (grown, overflow) = first.wholeNanoseconds.multipliedReportingOverflow(
        by: 1 << min(UInt64(max(failures, 1)) - 1, 62))
      let limit = overflow ? cap : min(grown, cap)
      guard limit < .max else { return .nanoseconds(Int64(clamping: random)) }
      return .nanoseconds(Int64(clamping: random.multipliedFullWidth(by: limit + 1).high))
    }
  }
}

extension Duration {
  /// The time in nanoseconds, from zero to what an `Int64` holds.
  fileprivate var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard self > .zero else { return 0 }
    let (nanoseconds, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? UInt64(Int64.max) : min(nanoseconds + UInt64(attoseconds / 1_000_000_000), UInt64(Int64.max))
  }
}
