public import Foundation
internal import Loopback
public import OrderTaking

/// A server that gives orders to drivers: HTTP, and a push channel over TCP, both on this machine's loopback address.
///
/// ```swift
/// let server = try await OrderServer.start(
///   .init(offers: [OfferedOrder("7")], credentials: ["secret": "ann"]))
/// let client = HTTPClient<String, String>.live(at: server.url, …)
/// let push = PushClient<String>.live(at: "127.0.0.1", port: server.pushPort, …)
/// await server.stop()
/// ```
///
/// What is said on both channels is in <doc:Protocol>, who may say it in <doc:Threats>. It is good enough to develop an app
/// against, and misbehaves to order: see ``ServerFaults``.
///
/// **Once.** A taking is stored before its answer leaves, and never given twice, whatever fails.
///
/// **Threads.** Every member may be used from any thread. Letting go of the last reference stops the server at once.
public final class OrderServer: Sendable {
  /// The port of the HTTP API.
  public let port: Int
  /// The port of the push channel.
  public let pushPort: Int

  private let core: OrderServerCore
  private let listening: OrderServerListening

  /// Starts a server; on return it accepts connections on both channels.
  ///
  /// - Parameters:
  ///   - configuration: What it offers, to whom, and within which limits.
  ///   - store: Where takings survive a restart. What it holds counts for more than the configuration's offers.
  ///   - timers: The server's clock: decisions, heartbeats, held-back pushes, and the age of keys.
  ///   - log: Called with what happens, on any thread, one at a time. It must be quick, and must not call back. No token is
  ///     ever in it.
  ///   - makeStream: Makes a name for the counting of cursors that no earlier one had; called when the store has none.
  /// - Throws: ``OrderServerError`` when a port cannot be had, and when the store can be neither read nor written. Then the
  ///   ports are free, and the store is as open as it was.
  public static func start(
    _ configuration: Configuration = Configuration(), store: OrderStore = .inMemory(), timers: Timers = .dispatch(),
    log: (@Sendable (OrderServerEvent) -> Void)? = nil,
    makeStream: @escaping @Sendable () -> String = { UUID().uuidString }
  ) async throws(OrderServerError) -> OrderServer {
    let core: OrderServerCore
    do { core = try OrderServerCore(configuration, store, timers, makeStream: makeStream, log: log) } catch {
      throw OrderServerError(error)
    }
    let listening = OrderServerListening(core)
    do { return OrderServer(core, listening, try await listening.start()) } catch { throw OrderServerError(error) }
  }

  /// Where the HTTP API is, such as `http://127.0.0.1:49152`.
  public var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }

  /// All orders as they are now, and who has them.
  public var book: OrderBook { core.book }

  /// Breaks every connection, reads the state from the store again, and listens on the same ports.
  ///
  /// As if the process had been killed and started anew. Returns when connections are accepted again; after ``stop(grace:)``
  /// it does nothing.
  public func restart() async { await listening.restart() }

  /// Stops the server: says goodbye on the push channel, answers what has begun, and frees the ports.
  ///
  /// It may be called any number of times.
  ///
  /// - Parameter grace: How long requests that have begun may take; then their connections are reset.
  public func stop(grace: Duration = .seconds(5)) async { await listening.stop(grace: grace) }

  private init(_ core: OrderServerCore, _ listening: OrderServerListening, _ ports: (http: Int, push: Int)) {
    self.core = core
    self.listening = listening
    (port, pushPort) = ports
    core.whenRestartIsDue { [weak listening] in Task { await listening?.restart() } }
  }

  deinit { core.end() }
}
