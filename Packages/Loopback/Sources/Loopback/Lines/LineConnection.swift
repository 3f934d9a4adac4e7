/// A connection of a ``LineServer``, which any thread can use.
///
/// Its methods run in order on the server's thread. After the end of the connection they do nothing. Two values are equal if they are
/// the same connection of the same server.
public struct LineConnection: Sendable, Hashable, Identifiable {
  /// The connection's number: 1 for the server's first, and never used again.
  public let id: Int

  private let core: LoopBound<LineServerCore>

  init(id: Int, core: LoopBound<LineServerCore>) {
    self.id = id
    self.core = core
  }

  /// Sends a line; the line feed is added.
  ///
  /// A line feed inside makes it two lines to the client.
  ///
  /// The bytes are queued, and counted against ``LoopbackLimits/writeBacklogBytes`` until the client's system takes them.
  public func send(_ line: String) { send(line.utf8) }

  /// Sends a line of bytes; the line feed is added.
  public func send(_ line: some Sequence<UInt8>) {
    let bytes = Array(line) + [UInt8(ascii: "\n")]
    core.post { [id] in $0.send(bytes, to: id) }
  }

  /// Closes the connection after all its bytes were sent.
  ///
  /// Later lines of the client are ignored.
  public func finish() { tell(.finish) }

  /// Closes the connection now.
  ///
  /// Bytes that were not sent are lost.
  public func close() { tell(.close) }

  /// Resets the connection (TCP RST), so that the client gets an error.
  public func reset() { tell(.reset) }

  /// Returns whether two values are the same connection.
  public static func == (a: Self, b: Self) -> Bool { a.id == b.id && a.core === b.core }

  /// Adds the connection's identity to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(core))
  }

  private func tell(_ event: LineConversation.Event) {
    core.post { [id] in $0.tell(id, event) }
  }
}
