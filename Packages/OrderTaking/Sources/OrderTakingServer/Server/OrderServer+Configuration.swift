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
    public var limits = OrderServer.httpLimits
    public var pushLimits = OrderServer.pushLimits
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

  /// The default limits of the HTTP API: 16 KiB of header, 64 KiB of body and 512 connections.
  ///
  /// The header and the body of a request may take ten seconds each.
  public static let httpLimits: LoopbackLimits = {
    var limits = LoopbackLimits()
    limits.headerBytes = 16 << 10
    limits.bodyBytes = 64 << 10
    limits.connections = 512
    limits.requestsInFlight = 512
    limits.bodyTimeout = .seconds(10)
    // A connection without data is closed, because 512 of them would block all others.
    limits.idleTimeout = .seconds(10)
    return limits
  }()

  /// The default limits of the push channel: 4 KiB for a line, 1 MiB unread by a client and 512 connections.
  public static let pushLimits: LoopbackLimits = {
    var limits = LoopbackLimits()
    limits.lineBytes = 4 << 10
    limits.writeBacklogBytes = 1 << 20
    limits.connections = 512
    // The channel itself measures heartbeats and silence.
    limits.idleTimeout = .seconds(3_600)
    return limits
  }()
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
  /// The server cannot accept connections, for example because the process has no free file descriptors.
  ///
  /// The text has the cause and the next step. The server retries. A lasting error is reported once.
  case acceptingFailed(String)
  /// The server closed every connection and read the state again.
  case restarted
}
