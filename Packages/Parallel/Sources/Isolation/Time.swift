/// The error of `timeout(after:on:)` of a `Parallel` or a `Future`: no value arrived within the time limit.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  public let limit: Duration

  public init(limit: Duration) {
    self.limit = limit
  }

  public var description: String {
    "Timed out after \(limit). Try again, or raise the timeout."
  }
}

extension DurationProtocol {
  /// This duration, but at least 0 and at most a hundred years if it is a `Duration`.
  ///
  /// The system's clocks trap when a deadline is much earlier or later.
  public var sleepable: Self {
    guard let duration = self as? Duration else { return self }
    return max(.zero, min(duration, .seconds(3_155_760_000 as Int64))) as? Self ?? self
  }
}
