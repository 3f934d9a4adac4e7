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
