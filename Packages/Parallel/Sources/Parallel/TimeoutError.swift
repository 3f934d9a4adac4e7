/// Nothing was there in time.
///
/// A `Parallel` answers with it, and a `Future` of Futures fails with it, when a `timeout(after:on:)` has no value by
/// then.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// How long was waited.
  public let limit: Duration

  /// Creates an error for a time that is over.
  ///
  /// - Parameter limit: How long was waited.
  public init(limit: Duration) {
    self.limit = limit
  }

  /// How long was waited, and what to do.
  public var description: String {
    "Timed out after \(limit). Try again, or raise the timeout."
  }
}
