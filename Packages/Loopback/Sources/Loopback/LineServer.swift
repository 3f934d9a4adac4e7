/// A TCP server of lines, each ended by a line feed, on 127.0.0.1.
///
/// ```swift
/// let server = try await LineServer.start(LineHandlers(
///   onConnect: { $0.send("welcome") },
///   onLine: { connection, line in connection.send("You said: \(line)") }
/// ))
/// await server.stop()
/// ```
///
/// One thread serves all connections. A carriage return before a line feed belongs to the line's end. A line of more than 1 MiB closes its
/// connection. Lines that a client does not read are kept in memory, without a limit. The release of the last reference stops the server
/// without a grace period.
public final class LineServer: Sendable {
  public var port: Int { core.port }

  private let core: ServerCore

  /// Starts a server.
  ///
  /// When this returns, it accepts connections. A `port` of 0 selects a free one.
  ///
  /// - Throws: ``LoopbackError`` if the server cannot use the port or a file of the identity.
  public static func start(
    _ handlers: LineHandlers, port: Int = 0, tls: TLSIdentity? = nil
  ) async throws(LoopbackError) -> LineServer {
    let core = try ServerCore(port: port, tls: tls) {
      LineChannel($0, handlers, $1, $2)
    }
    return LineServer(core)
  }

  /// Stops the server, and returns after its port is free and every ``LineHandlers/onClose`` has run.
  ///
  /// It accepts no connections, reads no further lines, sends the waiting bytes, and then closes each connection. After the grace period it
  /// resets the others. Repeated calls behave as those of ``HTTPServer/stop(grace:)``.
  public func stop(grace: Duration = .seconds(5)) async {
    core.stop(grace: grace)
    await core.loop.waitForEnd()
  }

  private init(_ core: ServerCore) { self.core = core }

  deinit { core.stop(grace: .zero) }
}

/// The functions of a line server, one for each event of a connection.
///
/// For each connection, ``onConnect`` is called once, ``onLine`` for each line, and ``onClose`` once and last. All of them run on the
/// server's one thread, so they must not block.
///
/// If the client closes its sending side, the connection closes after all bytes were sent. A last line without a line feed is
/// discarded.
public struct LineHandlers: Sendable {
  public var onConnect: @Sendable (LineConnection) -> Void
  public var onLine: @Sendable (LineConnection, Line) -> Void
  /// Called with the reason of the end, as a sentence.
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

public struct Line: Sendable, Hashable, CustomStringConvertible {
  /// The bytes before the line feed, or before the carriage return and line feed.
  public let bytes: [UInt8]

  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public var description: String { text }
}

/// A connection of a ``LineServer``, which any thread can use; after its end, its methods do nothing.
public struct LineConnection: Sendable, Identifiable {
  /// The connection's number, which the server never uses again.
  public let id: Int

  /// The common name of the client's verified certificate.
  ///
  /// `nil` without ``TLSIdentity/clientCAFile``, or if the certificate has not exactly one common name.
  public let clientName: String?

  fileprivate let channel: LineChannel

  /// Sends a line; the line feed is added.
  public func send(_ line: String) { send(line.utf8) }

  /// Sends a line of bytes; the line feed is added.
  public func send(_ line: some Sequence<UInt8>) {
    let bytes = Array(line) + [UInt8(ascii: "\n")]
    channel.loop.post { [channel] in channel.send(bytes) }
  }

  /// Closes the connection after all its bytes were sent.
  ///
  /// Later lines of the client are ignored.
  public func finish() {
    channel.loop.post { [channel] in channel.finish("The server's handler closed the connection") }
  }
}

/// The state of a connection of lines.
///
/// `@unchecked Sendable`: it is used only on the loop's thread.
final class LineChannel: Connection, @unchecked Sendable {
  private static let lineBytes = 1 << 20

  let loop: EventLoop
  private let channel: Channel
  private let handlers: LineHandlers
  private unowned let core: ServerCore
  private let id: Int

  /// `nil` before the end of the TLS handshake, and after the end of the connection.
  private var connection: LineConnection?
  private var buffer = InputBuffer()
  private var isDrained = true
  /// The reason with which the connection closes after all bytes were sent.
  private var reason: String?

  init(_ channel: Channel, _ handlers: LineHandlers, _ core: ServerCore, _ id: Int) {
    loop = core.loop
    self.channel = channel
    self.handlers = handlers
    self.core = core
    self.id = id
    channel.onEvent = { [unowned self] in happened($0) }
  }

  func stop() { finish("The server stopped") }

  func abort() { end("The server stopped") { $0.reset() } }

  fileprivate func send(_ bytes: [UInt8]) {
    guard reason == nil else { return }
    isDrained = false
    channel.write(bytes)
  }

  fileprivate func finish(_ reason: String) {
    guard self.reason == nil else { return }
    self.reason = reason
    if isDrained { end(reason) { $0.close() } }
  }

  private func happened(_ event: Channel.Event) {
    switch event {
    case .opened:
      let connection = LineConnection(id: id, clientName: channel.clientName, channel: self)
      self.connection = connection
      handlers.onConnect(connection)
    case .received(let bytes): receive(bytes)
    case .drained:
      isDrained = true
      if let reason { end(reason) { $0.close() } }
    case .inputEnded:
      // Behind the lines that the handlers have sent.
      loop.post { [self] in finish("The client closed the connection") }
    case .failed(let cause): end("The connection failed: \(cause)") { $0.close() }
    case .handshakeFailed: channel.closeAfterInput { [unowned self] in end("") { $0.close() } }
    case .timeUp: break
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let connection, reason == nil else { return }
    buffer.append(bytes)
    while let line = buffer.line() {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard content.count <= Self.lineBytes else { return endLongLine() }
      handlers.onLine(connection, Line(bytes: Array(content)))
    }
    // A carriage return at the end can belong to the line's end.
    if buffer.count > Self.lineBytes + 1 { endLongLine() }
  }

  private func endLongLine() {
    end("A line exceeded the limit of \(Self.lineBytes) bytes") { $0.close() }
  }

  private func end(_ reason: String, _ close: (Channel) -> Void) {
    self.reason = reason
    close(channel)
    if let connection { handlers.onClose(connection, reason) }
    connection = nil
    core.remove(id)
  }
}
