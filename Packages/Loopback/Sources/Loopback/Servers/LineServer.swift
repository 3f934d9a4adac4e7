/// A TCP server of lines, each ended by a line feed, on a loopback address.
///
/// ```swift
/// let server = try await LineServer.start(LineHandlers(
///   onConnect: { $0.send("welcome") },
///   onLine: { connection, line in connection.send("You said: \(line)") }
/// ))
/// server.broadcast("news")
/// await server.stop()
/// ```
///
/// One thread serves all connections. A carriage return before a line feed is taken off; bytes need not be UTF-8.
/// The release of the last reference stops the server without a grace period.
public final class LineServer: Sendable {
  /// The port that clients connect to.
  public let port: Int
  /// The address that clients connect to.
  public let address: LoopbackAddress

  private let loop: EventLoop
  private let core: LoopBound<LineServerCore>

  /// Starts a server.
  ///
  /// When this returns, it accepts connections.
  ///
  /// - Parameters:
  ///   - handlers: The functions that handle connections and lines.
  ///   - limits: The limits of the server. A connection above ``LoopbackLimits/connections`` is closed at
  ///     once, without a call of a handler.
  ///   - address: The loopback address to listen on.
  ///   - port: The port; 0 for a free one.
  /// - Throws: ``LoopbackError`` if the server cannot use the port.
  public static func start(
    _ handlers: LineHandlers, limits: LoopbackLimits = LoopbackLimits(), at address: LoopbackAddress = .ipv4,
    port: Int = 0
  ) async throws(LoopbackError) -> LineServer {
    let (loop, core, port) = try await launch(LineServerCore.self) { (loop, handle) throws(LoopbackError) in
      let core = LineServerCore(loop, handle, handlers: handlers, limits: limits)
      return (core, try core.listen(at: address, port: port))
    }
    return LineServer(loop, core, address, port)
  }

  /// Sends a line to every connection that is open when the server's thread gets to it; the line feed is added.
  ///
  /// From any thread. Sends and broadcasts of one thread arrive in order.
  public func broadcast(_ line: String) { broadcast(line.utf8) }

  /// Sends a line of bytes to every open connection; the line feed is added.
  public func broadcast(_ line: some Sequence<UInt8>) {
    let bytes = Array(line) + [UInt8(ascii: "\n")]
    core.post { $0.broadcast(bytes) }
  }

  /// Stops the server; on return its port is free, its thread is done, and every
  /// ``LineHandlers/onClose`` has run.
  ///
  /// It stops accepting, reads no further lines, sends what waits, and closes each connection when that is done; after
  /// the grace period it resets the rest. It may be called any number of times, from any task; each call returns when
  /// the server has stopped, and the shortest grace period counts.
  public func stop(grace: Duration = .seconds(5)) async {
    core.post { $0.stop(grace: grace) }
    await loop.ended()
  }

  private init(_ loop: EventLoop, _ core: LoopBound<LineServerCore>, _ address: LoopbackAddress, _ port: Int) {
    self.loop = loop
    self.core = core
    self.address = address
    self.port = port
  }

  deinit { core.post { $0.stop(grace: .zero) } }
}
