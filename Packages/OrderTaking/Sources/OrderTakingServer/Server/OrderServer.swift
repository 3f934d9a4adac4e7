public import Foundation
internal import Loopback
public import OrderTaking
public import OrderTakingDispatch

/// An order server for development: HTTP and a push channel over TCP, both on the loopback address.
///
/// ```swift
/// let server = try await OrderServer.start(
///   .init(offers: [OfferedOrder("7")], credentials: ["secret": "ann"]))
/// let client = OrderHTTPClient<String, String>.live(at: server.url, …)
/// let push = PushClient<String>.live(at: StreamAddress(host: "127.0.0.1", port: server.pushPort, usesTLS: false), …)
/// await server.stop()
/// ```
///
/// <doc:Protocol> describes both channels, and <doc:Threats> the permissions and defences. The server can simulate
/// faults: see ``ServerFaults``.
///
/// **At most once.** A decision is stored before its response and its push are sent. An order is never given twice.
///
/// **Disk.** Writes to the store have their own thread. A slow disk delays only requests that take orders.
///
/// **Threads.** You can use every member from any thread. The release of the last reference stops the server at once.
public final class OrderServer: Sendable {
  public let port: Int
  public let pushPort: Int

  private let core: OrderServerCore
  private let listening: OrderServerListening

  /// Starts a server.
  ///
  /// When this returns, it accepts connections on both channels. Stored orders take precedence over those of the
  /// configuration.
  ///
  /// `log` is called with each event, on any thread, one at a time. It must return quickly, and must not call the
  /// server. A failure to write the audit log is an event, and changes no response. `makeEpoch` returns a unique name
  /// for a new numbering of pushes.
  ///
  /// - Throws: ``OrderServerError`` if the server cannot listen, load its TLS files, or read and write the store. Its
  ///   ports are then closed.
  public static func start(
    _ configuration: Configuration = Configuration(), store: OrderStore = .inMemory(), timers: Timers = .dispatch(),
    log: (@Sendable (OrderServerEvent) -> Void)? = nil, observer: Observer? = nil, audit: AuditLog? = nil,
    makeEpoch: @escaping @Sendable () -> String = { UUID().uuidString }
  ) async throws(OrderServerError) -> OrderServer {
    let core: OrderServerCore
    do {
      core = try OrderServerCore(
        configuration, store, timers, makeEpoch: makeEpoch, log: log, observer: observer, audit: audit)
    } catch {
      throw OrderServerError(error)
    }
    let listening = OrderServerListening(core)
    do { return OrderServer(core, listening, try await listening.start()) } catch { throw OrderServerError(error) }
  }

  public var url: URL {
    URL(string: "\(core.configuration.tls == nil ? "http" : "https")://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }

  /// All orders, with their drivers; with a shared store, only the orders that this server has pushed.
  public var orders: DispatchState { core.orders }

  /// Simulates a restart: closes every connection, reads the state from the store, and listens on the same ports.
  ///
  /// It returns when the server accepts connections again. After ``stop(grace:)`` it does nothing.
  public func restart() async { await listening.restart() }

  /// Stops the server: closes the push channel, finishes the current requests, and frees the ports.
  ///
  /// A second call does nothing.
  ///
  /// - Parameter grace: The maximum time for the current requests. After it, their connections are reset.
  public func stop(grace: Duration = .seconds(5)) async { await listening.stop(grace: grace) }

  private init(_ core: OrderServerCore, _ listening: OrderServerListening, _ ports: (http: Int, push: Int)) {
    self.core = core
    self.listening = listening
    (port, pushPort) = ports
    core.whenRestartIsDue { [weak listening] in Task { await listening?.restart() } }
  }

  deinit { core.endSoon() }
}
