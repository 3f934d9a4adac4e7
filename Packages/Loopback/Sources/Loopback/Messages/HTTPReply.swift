/// The reply to a request: a response, or a simulated fault.
///
/// A route returns a fault like any response, so that tests can check a client's reaction:
///
/// ```swift
/// Route(.get, "/bird") { _ in HTTPReply.truncated(.bytes(png), afterBodyBytes: 100) }
/// Route(.put, "/orders/:id") { request in
///   store(request)                     // the work is done …
///   return HTTPReply.disconnected      // … and the answer is lost
/// }
/// ```
///
/// Delays are timers of the server's event loop, so they block no thread. They end early when the client disconnects or the server's
/// grace period ends. A request counts as current until its reply was sent. ``LoopbackLimits/handlerTimeout`` limits only the
/// route's function, not the delay of its reply.
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

  /// Sends another reply later.
  ///
  /// A graceful stop waits for it within the grace period.
  public static func delayed(by delay: Duration, _ reply: HTTPReply) -> Self { Self(plan: .delay(delay, reply)) }

  /// Sends a response later.
  public static func delayed(by delay: Duration, _ response: HTTPResponse) -> Self {
    delayed(by: delay, .response(response))
  }

  /// Closes the connection without a response.
  ///
  /// The client reads an end of file.
  public static let disconnected = Self(plan: .disconnect)

  /// Resets the connection (TCP RST) without a response.
  ///
  /// The client gets an error such as `ECONNRESET`.
  public static let reset = Self(plan: .reset)

  /// Sends the full `Content-Length` with only the beginning of the body, and closes.
  ///
  /// A number of bytes outside the body is clamped.
  public static func truncated(_ response: HTTPResponse, afterBodyBytes bodyBytes: Int) -> Self {
    Self(plan: .truncate(response, bodyBytes: bodyBytes))
  }

  /// Sends the whole response, one byte at a time.
  public static func dripped(_ response: HTTPResponse, every interval: Duration) -> Self {
    Self(plan: .drip(response, interval: interval))
  }

  /// Keeps the connection open without a response, until the client disconnects or the server stops.
  public static let never = Self(plan: .silence)

  /// Sends any bytes, which need not be HTTP, and closes.
  public static func raw(_ bytes: some Sequence<UInt8>) -> Self { Self(plan: .raw(Array(bytes))) }

  /// The response, sent at once or later, or `nil` for a fault.
  public var response: HTTPResponse? {
    switch plan {
    case .respond(let response), .drip(let response, _): response
    case .delay(_, let reply): reply.response
    case .disconnect, .reset, .truncate, .silence, .raw: nil
    }
  }
}
