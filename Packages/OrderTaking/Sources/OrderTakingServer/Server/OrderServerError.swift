internal import Loopback

/// The reason why an order server cannot start.
public struct OrderServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// Later versions can add kinds.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// The server cannot listen on one of its ports, or cannot load its TLS files.
    public static let port = Kind(name: "port")
    /// The store cannot be read or written.
    public static let store = Kind(name: "store")
  }

  /// The kind of this error.
  public let kind: Kind
  /// The failed action, its cause and the next step.
  public let description: String

  init(_ error: OrderStoreError) { (kind, description) = (.store, error.description) }

  init(_ error: LoopbackError) { (kind, description) = (.port, error.description) }
}
