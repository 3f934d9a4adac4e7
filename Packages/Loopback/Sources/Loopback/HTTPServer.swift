public import Foundation

/// An HTTP/1.1 server for demos and tests, on 127.0.0.1.
///
/// ```swift
/// let server = try await HTTPServer.start(Router {
///   Route(.get, "/hello") { _ in .text("Hello") }
/// })
/// print(server.url)            // http://127.0.0.1:49152
/// await server.stop()
/// ```
///
/// One thread handles all connections. It supports HTTP/1.1 and 1.0 with keep-alive, pipelining, chunked request bodies and
/// `Expect: 100-continue`. If a client closes its side while its request is being handled, the handler is cancelled, and the client still
/// receives the reply.
///
/// A request with more than 64 KiB of header gets 431, one with more than 64 MiB of body gets 413, and a malformed one 400. The response
/// names the cause, and the connection closes. A client can be slow or idle without a limit.
///
/// Each `Host` must be 127.0.0.1, `[::1]`, `localhost` or a name below it, with or without a port. Any other host gets
/// 421, so that a web page cannot reach the server through its own host name (DNS rebinding).
///
/// The release of the last reference stops the server without a grace period.
public final class HTTPServer: Sendable {
  public var port: Int { core.port }

  private let core: ServerCore
  private let scheme: String

  /// Starts a server.
  ///
  /// When this returns, it accepts connections. A `port` of 0 selects a free one.
  ///
  /// - Throws: ``LoopbackError`` if the server cannot use the port or a file of the identity.
  public static func start(
    _ router: Router, port: Int = 0, tls: TLSIdentity? = nil
  ) async throws(LoopbackError) -> HTTPServer {
    let core = try ServerCore(port: port, tls: tls) {
      HTTPConnection($0, router, $1, $2)
    }
    return HTTPServer(core, scheme: tls == nil ? "http" : "https")
  }

  public var url: URL { URL(string: "\(scheme)://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }

  /// Stops the server, and returns after its port is free and its thread has ended.
  ///
  /// It closes connections without a request, and finishes the current requests within the grace period. Then it cancels their handlers and
  /// resets their connections. Of several calls, the shortest grace period counts, and each returns when the server has stopped.
  /// Cancellation of the waiting task does not shorten the stop.
  public func stop(grace: Duration = .seconds(5)) async {
    core.stop(grace: grace)
    await core.loop.waitForEnd()
  }

  private init(_ core: ServerCore, scheme: String) {
    self.core = core
    self.scheme = scheme
  }

  deinit { core.stop(grace: .zero) }
}
