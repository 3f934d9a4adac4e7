public import Foundation

/// An HTTP/1.1 server for demos and tests, on a loopback address.
///
/// ```swift
/// let server = try await HTTPServer.start(Router {
///   Route(.get, "/hello") { _ in .text("Hello") }
/// })
/// print(server.url)            // http://127.0.0.1:49152
/// await server.stop()
/// ```
///
/// One thread handles all connections. It supports HTTP/1.1 and 1.0 with keep-alive, pipelining, chunked request bodies
/// and `Expect: 100-continue`; answers of one connection go out in the order of its requests. A client that closes its
/// side while its request is being handled has gone away: the handler is cancelled.
///
/// The release of the last reference stops the server without a grace period.
public final class HTTPServer: Sendable {
  /// The port that clients connect to.
  public let port: Int
  /// The address that clients connect to.
  public let address: LoopbackAddress

  private let loop: EventLoop
  private let core: LoopBound<HTTPServerCore>

  /// Starts a server.
  ///
  /// When this returns, it accepts connections.
  ///
  /// - Parameters:
  ///   - router: The functions that handle requests.
  ///   - limits: The limits of the server.
  ///   - address: The loopback address to listen on.
  ///   - port: The port; 0 for a free one.
  ///   - onAcceptError: Called on the server's thread when the server cannot accept connections, for example because the
  ///     process has no free file descriptors. The server retries every 50 milliseconds. A lasting error is reported once.
  /// - Throws: ``LoopbackError`` if the server cannot use the port.
  public static func start(
    _ router: Router, limits: LoopbackLimits = LoopbackLimits(), at address: LoopbackAddress = .ipv4, port: Int = 0,
    onAcceptError: @escaping @Sendable (LoopbackError) -> Void = { _ in }
  ) async throws(LoopbackError) -> HTTPServer {
    let (loop, core, port) = try await launch(HTTPServerCore.self) { (loop, handle) throws(LoopbackError) in
      let core = HTTPServerCore(loop, handle, router: router, limits: limits)
      return (core, try core.listen(at: address, port: port, onAcceptError: onAcceptError))
    }
    return HTTPServer(loop, core, address, port)
  }

  /// The URL of the server, for example `http://127.0.0.1:49152`.
  public var url: URL { URL(string: "http://\(address.urlHost):\(port)") ?? URL(fileURLWithPath: "/") }

  /// Stops the server; on return its port is free and its thread is done.
  ///
  /// It stops accepting, closes connections without a request, and gives requests that have begun the grace period to
  /// finish. Then their handlers are cancelled and their connections closed. It may be called any number of times, from
  /// any task; each call returns when the server has stopped, and the shortest grace period counts. Cancelling the
  /// waiting task shortens nothing. A synchronous handler that does not return holds the stop up.
  public func stop(grace: Duration = .seconds(5)) async {
    core.post { $0.stop(grace: grace) }
    await loop.ended()
  }

  private init(_ loop: EventLoop, _ core: LoopBound<HTTPServerCore>, _ address: LoopbackAddress, _ port: Int) {
    self.loop = loop
    self.core = core
    self.address = address
    self.port = port
  }

  deinit { core.post { $0.stop(grace: .zero) } }
}
