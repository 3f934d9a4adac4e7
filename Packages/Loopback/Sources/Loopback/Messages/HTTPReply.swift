/// The reply to a request: a response, or a simulated fault.
///
/// A route returns a fault like any response, so that tests can check a client's reaction:
///
/// ```swift
/// Route(.get, "/bird") { _ in HTTPReply.truncated(.bytes(png), afterBodyBytes: 100) }
/// Route(.put, "/orders/:id") { request in
///   store(request)                     // The work is done …
///   return HTTPReply.disconnected      // … and the response is lost.
/// }
/// ```
///
/// Delays are timers of the server's event loop, so they block no thread. They end early when the client disconnects or the server's
/// grace period ends. A request counts as current until its reply was sent. ``LoopbackLimits/handlerTimeout`` limits only the
/// route's function, not the delay of its reply.
public indirect enum HTTPReply: Sendable, Equatable {
  case response(HTTPResponse)

  /// Sends another reply later.
  ///
  /// A graceful stop waits for it within the grace period.
  case delayed(by: Duration, HTTPReply)

  /// Closes the connection without a response.
  ///
  /// The client reads an end of file.
  case disconnected

  /// Resets the connection (TCP RST) without a response.
  ///
  /// The client gets an error such as `ECONNRESET`.
  case reset

  /// Sends the full `Content-Length` with only the beginning of the body, and closes.
  ///
  /// The number is clamped to the length of the body.
  case truncated(HTTPResponse, afterBodyBytes: Int)

  case dripped(HTTPResponse, every: Duration)

  /// Keeps the connection open without a response, until the client disconnects or the server stops.
  case never

  /// Sends any bytes, which need not be HTTP, and closes.
  case raw([UInt8])

  /// The response, sent at once or later, or `nil` for a fault.
  public var response: HTTPResponse? {
    switch self {
    case .response(let response), .dripped(let response, _): response
    case .delayed(_, let reply): reply.response
    case .disconnected, .reset, .truncated, .never, .raw: nil
    }
  }
}
