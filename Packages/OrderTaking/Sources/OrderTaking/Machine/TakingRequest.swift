/// One request of an operation.
public struct TakingRequest: Hashable, Sendable {
  /// The kinds of requests.
  public enum Kind: Hashable, Sendable {
    /// Take the order.
    case put
    /// Get the result.
    case get
    /// Get the details.
    case details
  }

  /// The kind of request.
  public let kind: Kind

  /// The number of the request or pause, unique in the operation.
  public let number: UInt32

  /// Creates a request.
  public init(kind: Kind, number: UInt32) {
    self.kind = kind
    self.number = number
  }
}

/// A timer of an operation.
public enum TakingTimer: Hashable, Sendable {
  /// Ends a pause between two requests.
  case pause(number: UInt32)
  /// Ends a request that takes too long.
  case request(number: UInt32)
  /// Ends the operation.
  case deadline
}
