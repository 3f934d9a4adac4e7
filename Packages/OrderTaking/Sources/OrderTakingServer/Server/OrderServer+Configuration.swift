public import Loopback
public import OrderTakingDispatch

extension OrderServer {
  public struct Configuration: Sendable {
    public var offers: [OfferedOrder]
    public var credentials: Credentials
    /// The time for which idempotency keys are stored.
    public var keyLifetime: Duration = .seconds(86_400)
    /// The number of pushes that are stored for each driver, for reconnections.
    public var pushHistory = 1_000
    public var heartbeat: Duration = .seconds(15)
    /// The maximum time without data from a push client.
    public var silenceTimeout: Duration = .seconds(40)
    public var faults: ServerFaults
    public var seed: UInt64
    /// The maximum rate of requests and of lines on the push channel for each token; `nil` for no limit.
    public var tokenLimit: RateLimit?
    /// The maximum rate of requests and of lines on the push channel for each IP address; `nil` for no limit.
    ///
    /// It also limits how fast tokens can be guessed. All clients on this machine count as one address, and so do all clients of a
    /// proxy.
    public var addressLimit: RateLimit?
    /// The certificate and the key of both channels, or `nil` for plain text.
    ///
    /// The certificate must name `127.0.0.1` or `localhost`. `TLSIdentity` is in the module `Loopback`.
    public var tls: TLSIdentity?
    /// The port of the HTTP API; 0 for a free one.
    public var port = 0
    /// The port of the push channel; 0 for a free one.
    public var pushPort = 0

    public init(
      offers: [OfferedOrder] = [], credentials: Credentials = [:], faults: ServerFaults = .none, seed: UInt64 = 0
    ) {
      self.offers = offers
      self.credentials = credentials
      self.faults = faults
      self.seed = seed
    }
  }
}

/// An event of a server, for logs.
///
/// It contains no token.
public enum OrderServerEvent: Hashable, Sendable {
  /// A request has a response, or a simulated fault instead.
  ///
  /// `status` is `nil` if the client received none. `driver` is `nil` if the token is unknown.
  case request(method: String, path: String, driver: String?, status: Int?, fault: ServerFaults.RequestFault)
  case pushConnected(connection: Int)
  case pushClosed(connection: Int, driver: String?, reason: String)
  /// A push was sent, or changed by a simulated fault.
  case pushed(OrderPush, connection: Int, fault: String?)
  /// A change could not be stored, so it was not made, or a stored order could not be read.
  case storingFailed(OrderStoreError)
  /// An entry could not be written to the audit log.
  ///
  /// The request was processed all the same, and the store has its result. A lasting error is reported once.
  case auditFailed(OrderStoreError)
  /// The server closed every connection and read the state again.
  case restarted
}
