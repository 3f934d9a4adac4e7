internal import Loopback

public struct OrderServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Later versions can add kinds.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// The server cannot listen on one of its ports, or cannot load its TLS files.
    public static let port = Kind(name: "port")
    public static let store = Kind(name: "store")
  }

  public let kind: Kind
  public let description: String

  init(_ error: OrderStoreError) { (kind, description) = (.store, error.description) }

  init(_ error: LoopbackError) { (kind, description) = (.port, error.description) }
}
