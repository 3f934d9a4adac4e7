/// The functions of a line server, one for each event of a connection.
///
/// ```swift
/// let echo = LineHandlers(onLine: { connection, line in connection.send("You said: \(line)") })
/// ```
///
/// For each connection the order is: ``onConnect`` once, ``onLine`` for each line, ``onInputEnd`` at most once,
/// ``onClose`` once and last. All of them run on the server's one thread, one at a time, over all connections: they
/// must not block.
public struct LineHandlers: Sendable {
  /// A client has connected.
  public var onConnect: @Sendable (LineConnection) -> Void
  /// A client sent a line.
  ///
  /// The last one before the end may lack its line feed; see ``Line/isTerminated``.
  public var onLine: @Sendable (LineConnection, Line) -> Void
  /// A client has closed its sending side; it may have gone, or may still read.
  ///
  /// Unless another function is given, the connection is closed once everything for it has been sent.
  public var onInputEnd: @Sendable (LineConnection) -> Void
  /// A connection has ended.
  public var onClose: @Sendable (LineConnection, LineCloseReason) -> Void

  /// Makes the functions; those left out do nothing.
  public init(
    onConnect: @escaping @Sendable (LineConnection) -> Void = { _ in },
    onLine: @escaping @Sendable (LineConnection, Line) -> Void = { _, _ in },
    onInputEnd: @escaping @Sendable (LineConnection) -> Void = { $0.finish() },
    onClose: @escaping @Sendable (LineConnection, LineCloseReason) -> Void = { _, _ in }
  ) {
    self.onConnect = onConnect
    self.onLine = onLine
    self.onInputEnd = onInputEnd
    self.onClose = onClose
  }
}
