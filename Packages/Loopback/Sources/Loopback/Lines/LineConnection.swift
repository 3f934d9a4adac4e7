/// A connection of a ``LineServer``, which any thread can use.
///
/// Its methods run in order on the server's thread. After the end of the connection they do nothing.
public struct LineConnection: Sendable, Identifiable {
  /// The connection's number: 1 for the server's first, and never used again.
  public let id: Int

  /// The subject common name of the client's certificate, which the server has verified.
  ///
  /// `nil` if the server's ``TLSIdentity/clientCAFile`` is `nil`, or if the certificate has not exactly one common name.
  public let clientName: String?

  /// The IP address of the client, for example `127.0.0.1`.
  ///
  /// Behind a proxy it is the address of the proxy.
  public let clientAddress: String

  private let server: ServerHandle<LineChannel>

  init(id: Int, _ channel: Channel, server: ServerHandle<LineChannel>) {
    self.id = id
    clientName = channel.clientName
    clientAddress = channel.clientAddress
    self.server = server
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
    server.post { [id] in $0.connections[id]?.send(bytes) }
  }

  /// Closes the connection after all its bytes were sent.
  ///
  /// Later lines of the client are ignored.
  public func finish() {
    server.post { [id] in $0.connections[id]?.feed(.finish) }
  }
}
