public import Foundation
public import Loopback
public import OrderTaking
public import OrderTakingDispatch

/// An order server to develop an app against: HTTP and a push channel over TCP, both on the loopback address.
///
/// ```swift
/// let server = try await OrderServer.start(.init(orders: [OfferedOrder("7")], tokens: ["secret": "ann"]))
/// let client = OrderHTTPClient<Data>.live(at: server.url, over: .curl(), token: tokens) { $0 }
/// let push = PushClient.live(
///   host: "127.0.0.1", port: server.pushPort, security: .plaintext, over: .curl(), token: tokens)
/// await server.close()
/// ```
///
/// The page *The protocol* of `OrderTakingClients` describes both channels. The server can simulate failures: see ``ServerFault``.
///
/// **At most once.** A decision is stored before its response and its push are sent.
///
/// **Threads.** You can use every member from any thread.
public final class OrderServer: Sendable {
  public struct Configuration: Sendable {
    public var orders: [OfferedOrder]
    public var tokens: DriverTokens
    public var faults: ServerFaults
    public var storage: OrderStorage
    /// The certificate and the key of both channels, or `nil` for plain text.
    ///
    /// The certificate must name `127.0.0.1` or `localhost`. `TLSIdentity` is in the module `Loopback`.
    public var tls: TLSIdentity?
    /// The port of the HTTP API; 0 for a free one.
    public var port = 0
    /// The port of the push channel; 0 for a free one.
    public var pushPort = 0
    /// The time for which idempotency keys are stored.
    public var keyLifetime: Duration = .seconds(86_400)
    public var heartbeat: Duration = .seconds(15)
    /// The maximum time without data from a push client.
    public var silenceTimeout: Duration = .seconds(40)

    public init(
      orders: [OfferedOrder] = [], tokens: DriverTokens = [:], faults: ServerFaults = .none,
      storage: OrderStorage = .memory
    ) {
      (self.orders, self.tokens, self.faults, self.storage) = (orders, tokens, faults, storage)
    }
  }

  public let port: Int
  public let pushPort: Int
  public let url: URL

  private let core: OrderServerCore
  private let http: HTTPServer
  private let push: LineServer

  /// Starts a server.
  ///
  /// Stored orders take precedence over those of the configuration. The observer receives the requests and the push connections of this
  /// side.
  ///
  /// - Throws: ``OrderServerError`` if the server cannot listen, load its TLS files, or read and write the storage.
  public static func start(
    _ configuration: Configuration = Configuration(), timers: Timers = .dispatch(), observer: Observer? = nil
  ) async throws(OrderServerError) -> OrderServer {
    let store: OrderStore
    do { store = try .open(configuration.storage) } catch { throw OrderServerError(error, configuration.storage) }
    return try await start(configuration, store, timers: timers, observer: observer)
  }

  static func start(
    _ configuration: Configuration, _ store: OrderStore, timers: Timers, observer: Observer? = nil
  ) async throws(OrderServerError) -> OrderServer {
    let core: OrderServerCore
    do { core = try OrderServerCore(configuration, store, timers, observer) } catch {
      throw OrderServerError(error, configuration.storage)
    }
    var http: HTTPServer?
    do throws(LoopbackError) {
      let listening = try await HTTPServer.start(core.router, port: configuration.port, tls: configuration.tls)
      http = listening
      let push = try await LineServer.start(core.lineHandlers, port: configuration.pushPort, tls: configuration.tls)
      core.begin()
      return OrderServer(core, listening, push)
    } catch {
      // The next start can then use this port.
      await http?.stop(grace: .zero)
      throw OrderServerError(error)
    }
  }

  private init(_ core: OrderServerCore, _ http: HTTPServer, _ push: LineServer) {
    (self.core, self.http, self.push) = (core, http, push)
    (port, pushPort, url) = (http.port, push.port, http.url)
  }

  /// All orders, with their drivers.
  public var orders: [OrderID: ServedOrder] { core.orders }

  /// Adds an open order.
  ///
  /// - Returns: Whether it was added. An order that the server has already is not changed.
  /// - Throws: ``OrderServerError`` if the order cannot be stored.
  @discardableResult
  public func offer(_ order: OfferedOrder) async throws(OrderServerError) -> Bool { try await core.offer(order) }

  /// Simulates faults, each once: in the next requests, and in the next pushes.
  ///
  /// ```swift
  /// server.inject(.serverError, .lostResponse)  // the next two requests
  /// ```
  public func inject(_ faults: ServerFault...) { core.inject(faults) }

  public func accept(_ token: String, for driver: DriverID) { core.changeTokens { $0.add(token, for: driver) } }

  /// Refuses a token from now on, and closes its push connections.
  public func revoke(_ token: String) { core.changeTokens { $0.remove(token) } }

  /// Closes the server: the push channel with a goodbye, then the ports after the current requests, then the storage.
  ///
  /// - Parameter grace: The maximum time for the current requests. After it, their connections are reset.
  public func close(grace: Duration = .seconds(5)) async {
    core.sayGoodbye()
    await http.stop(grace: grace)
    await push.stop(grace: grace)
    await core.close()
  }
}

/// The reason why a server cannot start, or cannot store an order.
public struct OrderServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Kind: Hashable, Sendable {
    private let name: String

    public static let port = Kind(name: "port")
    public static let storage = Kind(name: "storage")
  }

  public let kind: Kind
  public let description: String

  init(_ error: any Error, _ storage: OrderStorage) {
    kind = .storage
    let place = if case .file(let path) = storage { "the server's file \(path)" } else { "the server's memory" }
    description = "Cannot use \(place): \(OrderStore.explanation(of: error))"
  }

  init(_ error: LoopbackError) { (kind, description) = (.port, error.description) }
}
