/// A client that opens connections for bytes in both directions, as a struct of closures.
///
/// ```swift
/// let connection = StreamClient.curl().open(StreamAddress(host: "push.example", port: 7_001)) { event in
///   if case .received(let bytes) = event { print(bytes.count) }
/// }
/// connection.send(Array("hello\n".utf8))
/// ```
public struct StreamClient: Sendable {
  public enum Event: Sendable, Equatable {
    /// The connection is open, with TLS if it uses TLS.
    case connected
    case received([UInt8])
    /// The connection was not made, or ended.
    ///
    /// No event follows.
    case ended(NetworkError)
  }

  /// Opens a connection, and returns at once.
  ///
  /// The function is called with one event after the other, on a thread of the client, and must not block. After
  /// ``StreamConnection/close``, at most one event that has already begun is delivered. A connection without references stays open.
  /// Connecting has no time limit.
  public var open: @Sendable (StreamAddress, _ onEvent: @escaping @Sendable (Event) -> Void) -> StreamConnection

  public init(
    open: @escaping @Sendable (StreamAddress, _ onEvent: @escaping @Sendable (Event) -> Void) -> StreamConnection
  ) {
    self.open = open
  }
}

public struct StreamAddress: Sendable, Hashable {
  public var host: String
  public var port: Int
  public var usesTLS: Bool

  public init(host: String, port: Int, usesTLS: Bool = true) {
    (self.host, self.port, self.usesTLS) = (host, port, usesTLS)
  }
}

/// A connection, which may still be opening.
public struct StreamConnection: Sendable {
  /// Sends bytes after all earlier ones.
  ///
  /// It returns at once. The bytes wait until the connection is open. If more than 64 KiB are waiting, because the other side does not
  /// read, the connection ends.
  public var send: @Sendable ([UInt8]) -> Void
  public var close: @Sendable () -> Void

  public init(send: @escaping @Sendable ([UInt8]) -> Void, close: @escaping @Sendable () -> Void) {
    (self.send, self.close) = (send, close)
  }
}
