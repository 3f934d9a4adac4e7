/// How much of everything a server takes on, and for how long it waits.
///
/// Each limit has one documented answer, so that a client can tell which one it met. The defaults suit demos and
/// tests on one machine.
///
/// ```swift
/// var limits = LoopbackLimits()
/// limits.bodyBytes = 1 << 20
/// limits.handlerTimeout = .seconds(2)
/// ```
///
/// A negative number or duration counts as zero. Durations are measured by the event loop's monotonic clock.
public struct LoopbackLimits: Sendable, Hashable {
  /// The most bytes of a request line and header together, and of a chunked body's trailer.
  ///
  /// Over it: 431, or 414 when the request line alone is too long; then the connection closes.
  public var headerBytes = 64 << 10

  /// The most bytes of a request's body.
  ///
  /// Over it: 413, sent as soon as the header or a chunk's size tells; then the connection closes.
  public var bodyBytes = 16 << 20

  /// The most connections open at once.
  ///
  /// Over it, an HTTP client gets 503 and is closed; a line client is closed at once.
  public var connections = 1_024

  /// The most requests being handled at once, over all connections.
  ///
  /// Over it: 503 with `Retry-After: 1`, and the connection stays open.
  public var requestsInFlight = 1_024

  /// How long a connection may be quiet.
  ///
  /// An HTTP connection between requests is closed without an answer. One that does not read its answer is reset, at the latest
  /// after this time and another second for each 1,024 bytes of the answer. A line connection on which no line is completed and nothing is
  /// sent is closed with ``LineCloseReason/idle(_:)``.
  public var idleTimeout = Duration.seconds(60)

  /// How long a request's header may take from its first byte on.
  ///
  /// Over it: 408, and the connection closes.
  public var headerTimeout = Duration.seconds(10)

  /// How long a request's body may take from the end of the header on.
  ///
  /// Over it: 408, and the connection closes.
  public var bodyTimeout = Duration.seconds(60)

  /// How long an asynchronous handler may take.
  ///
  /// Over it, its task is cancelled and the client gets 503; the connection stays open. A synchronous handler has the
  /// loop's thread to itself and cannot be interrupted.
  public var handlerTimeout = Duration.seconds(30)

  /// The most bytes of one line, its end not counted.
  ///
  /// Over it, the line connection is closed with ``LineCloseReason/lineTooLong(limit:)``.
  public var lineBytes = 1 << 20

  /// The most bytes waiting to be read by one line client.
  ///
  /// Over it, the connection is reset with ``LineCloseReason/slowReader(limit:)``.
  public var writeBacklogBytes = 4 << 20

  /// Makes the defaults.
  public init() {}
}
