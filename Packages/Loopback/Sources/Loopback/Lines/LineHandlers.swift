/// The functions of a line server, one for each event of a connection.
///
/// ```swift
/// let echo = LineHandlers(onLine: { connection, line in connection.send("You said: \(line)") })
/// ```
///
/// For each connection the order is: ``onConnect`` once, ``onLine`` for each line, ``onClose`` once and last. All of them run on
/// the server's one thread, one at a time for all connections, so they must not block.
///
/// If the client closes its sending side, the connection closes after all bytes were sent. A last line without a line feed is
/// discarded.
public struct LineHandlers: Sendable {
  public var onConnect: @Sendable (LineConnection) -> Void
  public var onLine: @Sendable (LineConnection, Line) -> Void
  /// A connection has ended, for a reason in a sentence.
  public var onClose: @Sendable (LineConnection, String) -> Void

  public init(
    onConnect: @escaping @Sendable (LineConnection) -> Void = { _ in },
    onLine: @escaping @Sendable (LineConnection, Line) -> Void = { _, _ in },
    onClose: @escaping @Sendable (LineConnection, String) -> Void = { _, _ in }
  ) {
    self.onConnect = onConnect
    self.onLine = onLine
    self.onClose = onClose
  }
}
