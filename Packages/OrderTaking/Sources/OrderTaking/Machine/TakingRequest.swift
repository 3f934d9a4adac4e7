public struct TakingRequest: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case put
    case get
    case details
  }

  public let kind: Kind

  /// The number of the request or pause, unique in the operation.
  public let number: UInt32

  public init(kind: Kind, number: UInt32) {
    self.kind = kind
    self.number = number
  }
}

public enum TakingTimer: Hashable, Sendable {
  case pause(number: UInt32)
  case request(number: UInt32)
  case deadline
}
