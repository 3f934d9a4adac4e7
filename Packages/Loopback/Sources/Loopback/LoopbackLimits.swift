/// The limits of a server for sizes, numbers and times.
///
/// Each limit has a documented response. The defaults are for demos and tests on one machine.
///
/// ```swift
/// var limits = LoopbackLimits()
/// limits.bodyBytes = 1 << 20
/// limits.handlerTimeout = .seconds(2)
/// ```
///
/// A negative number or duration counts as zero. Durations are measured by the event loop's monotonic clock.
public struct LoopbackLimits: Sendable, Hashable {
  /// The maximum number of bytes of a request line with its header, and of a chunked body's trailer.
  ///
  /// Above it, the response is 431, or 414 if the request line alone is too long, and the connection closes.
  public var headerBytes = 64 << 10

  /// The maximum number of bytes in a request's body.
  ///
  /// Above it, the response is 413, as soon as the header or the size of a chunk exceeds it, and the connection closes.
  public var bodyBytes = 16 << 20

  /// The maximum number of open connections.
  ///
  /// A new connection above it replaces the connection that has waited longest for a TLS handshake, a request or a
  /// first line. Slow clients therefore do not exclude others. If all connections are in use, a new HTTP connection
  /// gets 503 and closes, and a new line connection closes at once.
  public var connections = 1_024

  /// The maximum number of current requests of all connections.
  ///
  /// Above it, the response is 503 with `Retry-After: 1`, and the connection stays open.
  public var requestsInFlight = 1_024

  /// The maximum time without activity on a connection.
  ///
  /// An HTTP connection between requests is closed without a response. A connection whose client does not read its response is reset
  /// after this time and another second for each 1,024 bytes of the response. A line connection without a complete line and without
  /// sent data is closed. A TLS handshake must be complete in this time too.
  public var idleTimeout = Duration.seconds(60)

  /// The maximum time of a request's header, from its first byte.
  ///
  /// Above it, the response is 408, and the connection closes.
  public var headerTimeout = Duration.seconds(10)

  /// The maximum time of a request's body, from the end of the header.
  ///
  /// Above it, the response is 408, and the connection closes.
  public var bodyTimeout = Duration.seconds(60)

  /// The maximum time of an asynchronous handler.
  ///
  /// Above it, its task is cancelled, the response is 503, and the connection stays open. A synchronous handler blocks the thread of
  /// the loop and cannot be interrupted.
  public var handlerTimeout = Duration.seconds(30)

  /// The maximum number of bytes in a line, without its end.
  ///
  /// Above it, the line connection is closed.
  public var lineBytes = 1 << 20

  /// The maximum number of bytes that a line client has not read.
  ///
  /// Above it, the connection is reset.
  public var writeBacklogBytes = 4 << 20

  public init() {}
}
