public import Loopback

extension OrderServer {
  /// What a server offers, to whom, and within which limits.
  public struct Configuration: Sendable {
    /// The orders.
    public var offers: [OfferedOrder]
    /// Who may ask.
    public var credentials: Credentials
    /// How long an idempotency key is remembered.
    public var keyLifetime: Duration = .seconds(86_400)
    /// How many pushes to each driver are kept for those who come back.
    public var pushHistory = 1_000
    /// How often a heartbeat is sent on the push channel.
    public var heartbeat: Duration = .seconds(15)
    /// How long a push client may say nothing before it is told goodbye.
    public var silenceTimeout: Duration = .seconds(40)
    /// What goes wrong on purpose.
    public var faults: ServerFaults
    /// Where the chances of faults come from.
    public var seed: UInt64
    /// How much of everything the HTTP API takes on.
    public var limits = OrderServer.httpLimits
    /// How much of everything the push channel takes on.
    public var pushLimits = OrderServer.pushLimits
    /// The HTTP API's port; 0 for a free one.
    public var port = 0
    /// The push channel's port; 0 for a free one.
    public var pushPort = 0

    /// Creates a configuration; what is not said here has its default.
    public init(
      offers: [OfferedOrder] = [], credentials: Credentials = [:], faults: ServerFaults = .none, seed: UInt64 = 0
    ) {
      self.offers = offers
      self.credentials = credentials
      self.faults = faults
      self.seed = seed
    }
  }

  /// 16 KiB of header, 64 KiB of body, 512 connections, 10 seconds for the first byte of a request and for either part of it.
  public static let httpLimits: LoopbackLimits = {
    var limits = LoopbackLimits()
    limits.headerBytes = 16 << 10
    limits.bodyBytes = 64 << 10
    limits.connections = 512
    limits.requestsInFlight = 512
    limits.bodyTimeout = .seconds(10)
    // Nor may a connection be kept that says nothing: 512 of them would keep everybody else out.
    limits.idleTimeout = .seconds(10)
    return limits
  }()

  /// 4 KiB for a line, 1 MiB unread by a client, 512 connections.
  public static let pushLimits: LoopbackLimits = {
    var limits = LoopbackLimits()
    limits.lineBytes = 4 << 10
    limits.writeBacklogBytes = 1 << 20
    limits.connections = 512
    // Heartbeats and silences are counted by the channel itself.
    limits.idleTimeout = .seconds(3_600)
    return limits
  }()
}

/// What a server did, for logs: no token is in it.
public enum OrderServerEvent: Hashable, Sendable {
  /// A request was answered, or what was done instead.
  ///
  /// `status` is `nil` when the client saw none; `driver` is `nil` when the token was not known.
  case request(method: String, path: String, driver: String?, status: Int?, fault: ServerFaults.RequestFault)
  /// Somebody connected to the push channel.
  case pushConnected(connection: Int)
  /// A connection to the push channel ended.
  case pushClosed(connection: Int, driver: String?, reason: String)
  /// A push was to go out, and what was done to it on purpose, when anything was.
  case pushed(OrderPush, connection: Int, fault: String?)
  /// A change could not be stored, and was not made.
  case storingFailed(OrderStoreError)
  /// Every connection was broken, and the state read again.
  case restarted
}
