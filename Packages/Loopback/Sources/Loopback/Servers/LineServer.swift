/// A TCP server of lines, each ended by a line feed, on 127.0.0.1.
///
/// ```swift
/// let server = try await LineServer.start(LineHandlers(
///   onConnect: { $0.send("welcome") },
///   onLine: { connection, line in connection.send("You said: \(line)") }
/// ))
/// await server.stop()
/// ```
///
/// One thread serves all connections. A carriage return before a line feed belongs to the line's end. Bytes need not be UTF-8.
/// The release of the last reference stops the server without a grace period.
public final class LineServer: Sendable {
  public let port: Int

  private let handle: ServerHandle<LineChannel>

  /// Starts a server.
  ///
  /// When this returns, it accepts connections. A `port` of 0 selects a free one. `onAcceptError` is called as by
  /// ``HTTPServer/start(_:limits:port:tls:onAcceptError:)``.
  ///
  /// - Throws: ``LoopbackError`` if the server cannot use the port or a file of the identity.
  public static func start(
    _ handlers: LineHandlers, limits: LoopbackLimits = LoopbackLimits(), port: Int = 0, tls: TLSIdentity? = nil,
    onAcceptError: @escaping @Sendable (LoopbackError) -> Void = { _ in }
  ) async throws(LoopbackError) -> LineServer {
    let context = try tls.map { identity throws(LoopbackError) in try TLSContext(identity, isHTTP: false) }
    let (handle, port) = try await ServerHandle.start(
      port: port, limits: limits, tls: context, onAcceptError: onAcceptError
    ) {
      { core, channel, id in LineChannel(id, channel, handlers, limits, core) }
    }
    return LineServer(handle, port)
  }

  /// Stops the server, and returns after its port is free, its thread has ended, and every ``LineHandlers/onClose`` has
  /// run.
  ///
  /// It stops accepting, reads no further lines, sends the waiting bytes, and closes each connection after that. After
  /// the grace period it resets the others. Repeated calls behave as those of ``HTTPServer/stop(grace:)``.
  public func stop(grace: Duration = .seconds(5)) async { await handle.stop(grace: grace) }

  private init(_ handle: ServerHandle<LineChannel>, _ port: Int) {
    self.handle = handle
    self.port = port
  }

  deinit { handle.post { $0.stop(grace: .zero) } }
}
