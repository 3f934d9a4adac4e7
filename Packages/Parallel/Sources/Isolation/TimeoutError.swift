/// The error of `timeout(after:on:)` of a `Parallel` or a `Future`: no value arrived within the time limit.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time limit.
  public let limit: Duration

  /// Creates an error.
  ///
  /// - Parameter limit: The time limit.
  public init(limit: Duration) {
    self.limit = limit
  }

  /// A message with the time limit and the next step.
  public var description: String {
    "Timed out after \(limit). Try again, or raise the timeout."
  }
}
