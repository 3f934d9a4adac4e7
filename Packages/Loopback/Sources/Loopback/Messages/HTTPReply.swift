/// What a server does about a request: sends a response, or misbehaves on purpose.
///
/// A client is only as good as the failures it was tried against. Each fault is a value that a route returns like any
/// response:
///
/// ```swift
/// Route(.get, "/bird") { _ in HTTPReply.truncated(.bytes(png), afterBodyBytes: 100) }
/// Route(.put, "/orders/:id") { request in
///   store(request)                     // the work is done …
///   return HTTPReply.disconnected      // … and the answer is lost
/// }
/// ```
///
/// Delays are timers of the server's event loop: no thread sleeps. They end early when the client goes away or the
/// server's grace period is over. A request counts as in flight until its reply is sent; ``LoopbackLimits/handlerTimeout``
/// covers the route's function only, not what its reply then does on purpose.
public struct HTTPReply: Sendable, Equatable {
  indirect enum Plan: Sendable, Equatable {
    case respond(HTTPResponse)
    case delay(Duration, HTTPReply)
    case disconnect
    case reset
    case truncate(HTTPResponse, bodyBytes: Int)
    case drip(HTTPResponse, interval: Duration)
    case silence
    case raw([UInt8])
  }

  let plan: Plan

  /// Sends a response.
  public static func response(_ response: HTTPResponse) -> Self { Self(plan: .respond(response)) }

  /// Does something later.
  ///
  /// A graceful stop waits for it within the grace period.
  public static func delayed(by delay: Duration, _ reply: HTTPReply) -> Self { Self(plan: .delay(delay, reply)) }

  /// Sends a response later.
  public static func delayed(by delay: Duration, _ response: HTTPResponse) -> Self {
    delayed(by: delay, .response(response))
  }

  /// Closes the connection without a byte of an answer; the client reads an end of file.
  public static let disconnected = Self(plan: .disconnect)

  /// Resets the connection (TCP RST) without an answer; the client gets an error such as `ECONNRESET`.
  public static let reset = Self(plan: .reset)

  /// Promises the whole body in `Content-Length`, sends only its beginning, and closes.
  ///
  /// A number of bytes outside the body's is moved to its nearer end.
  public static func truncated(_ response: HTTPResponse, afterBodyBytes bodyBytes: Int) -> Self {
    Self(plan: .truncate(response, bodyBytes: bodyBytes))
  }

  /// Sends the whole answer, head and body, one byte at a time.
  public static func dripped(_ response: HTTPResponse, every interval: Duration) -> Self {
    Self(plan: .drip(response, interval: interval))
  }

  /// Keeps the connection open and never answers, until the client goes away or the server is told to stop.
  public static let never = Self(plan: .silence)

  /// Sends bytes as they are, which need be no HTTP at all, and closes.
  public static func raw(_ bytes: some Sequence<UInt8>) -> Self { Self(plan: .raw(Array(bytes))) }

  /// The response that this sends in full, at once or later; `nil` for a fault.
  public var response: HTTPResponse? {
    switch plan {
    case .respond(let response), .drip(let response, _): response
    case .delay(_, let reply): reply.response
    case .disconnect, .reset, .truncate, .silence, .raw: nil
    }
  }
}
