internal import Loopback

/// Why an order server did not start.
public struct OrderServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a server could not have; more may come.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// One of its two ports: another program has it, or the system keeps it.
    public static let port = Kind(name: "port")
    /// What its store holds: it cannot be read, or not be written to.
    public static let store = Kind(name: "store")
  }

  /// What it could not have.
  public let kind: Kind
  /// What was tried, with what, what came back, and the way out.
  public let description: String

  init(_ error: OrderStoreError) { (kind, description) = (.store, error.description) }

  init(_ error: LoopbackError) { (kind, description) = (.port, error.description) }
}
