public import Foundation

/// A server for one test, which accepts loopback connections and performs the same action for each request.
public final class ScriptedServer: Sendable {
  public enum Action: Sendable {
    /// Sends the text and closes the connection.
    case reply(String)
    /// Sends the text and keeps the connection open until the client or the server closes it.
    case replyAndHold(String)
    /// Sends the text that the closure returns for the request's head, and closes the connection.
    case answer(@Sendable (String) -> String)
    /// Like `answer` with bytes, which need not be text; `holds` keeps the connection open as `replyAndHold` does.
    case bytes(holds: Bool = false, @Sendable (String) -> [UInt8])
    /// Sends the text after each request, and keeps the connection open for further ones.
    case keepAlive(String)
    /// Sends the text after the first request of a connection, and closes it after the second one.
    case replyOnce(String)
    case hold
    case close
  }

  public let port: UInt16
  private let listener: ListeningSocket
  private let log = ConnectionLog()

  public init(_ action: Action) throws {
    let listener = tcpSocket()
    var port: UInt16 = 0
    let isListening = withLoopbackAddress(&port) { address, size in
      bind(listener, address, size.pointee) == 0 && listen(listener, 64) == 0
        && getsockname(listener, address, size) == 0
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    self.port = port
    let (owner, log) = (ListeningSocket(descriptor: listener), log)
    self.listener = owner
    Thread.detachNewThread { Self.accept(owner, action, log) }
  }

  deinit {
    stop()
  }

  public func stop() {
    shutdown(listener.descriptor, Int32(SHUT_RDWR))
  }

  /// The URL of the path `/birds`.
  public var url: URL {
    get throws {
      guard let url = URL(string: "http://127.0.0.1:\(port)/birds") else { throw URLError(.badURL) }
      return url
    }
  }

  public var connectionCount: Int { log.connectionCount }

  public func nextHead() async -> String {
    await log.next()
  }

  public func clientHasClosed() async {
    await log.closed()
  }

  private static func accept(_ listener: ListeningSocket, _ action: Action, _ log: ConnectionLog) {
    while true {
      let connection = Int32(retrying { Int(Foundation.accept(listener.descriptor, nil, nil)) })
      guard connection >= 0 else { return }
      log.addConnection()
      Thread.detachNewThread { serve(connection, action, log) }
    }
  }

  private static func serve(_ connection: Int32, _ action: Action, _ log: ConnectionLog) {
    defer { close(connection) }
    for turn in 0... {
      let head = readRequest(connection)
      log.add(head)
      switch action {
      case .reply(let text): return sendAll(Array(text.utf8), to: connection)
      case .answer(let answer): return sendAll(Array(answer(head).utf8), to: connection)
      case .bytes(holds: false, let answer): return sendAll(answer(head), to: connection)
      case .replyAndHold, .bytes, .hold:
        if case .replyAndHold(let text) = action { sendAll(Array(text.utf8), to: connection) }
        if case .bytes(_, let answer) = action { sendAll(answer(head), to: connection) }
        while !receive(connection).isEmpty {}
        return log.addClosed()
      case .keepAlive(let text), .replyOnce(let text):
        var isOver = head.isEmpty
        if case .replyOnce = action { isOver = isOver || turn > 0 }
        guard !isOver else { return }
        sendAll(Array(text.utf8), to: connection)
      case .close: return
      }
    }
  }

  /// Reads a request and returns its head, or the part before the end of the connection.
  ///
  /// The body is read too, because closing a connection with unread bytes resets it, and the client could lose the response.
  private static func readRequest(_ connection: Int32) -> String {
    var head = ""
    // A TLS handshake, which starts with byte 22, does not contain an empty line.
    while !head.contains("\r\n\r\n"), head.utf8.first != 22 {
      let bytes = receive(connection)
      guard !bytes.isEmpty else { break }
      head += String(decoding: bytes, as: UTF8.self)
    }
    var missing = bodyLength(of: head)
    while missing > 0 {
      let bytes = receive(connection)
      guard !bytes.isEmpty else { break }
      missing -= bytes.count
    }
    return head
  }

  private static func bodyLength(of text: String) -> Int {
    guard let end = text.range(of: "\r\n\r\n"),
      let field = text[..<end.lowerBound].lowercased().split(separator: "\r\n").first(where: {
        $0.hasPrefix("content-length:")
      })
    else { return 0 }
    let length = Int(field.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
    return length - text[end.upperBound...].utf8.count
  }

  private static func receive(_ connection: Int32) -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = retrying { recv(connection, &buffer, buffer.count, 0) }
    return buffer.prefix(max(0, count))
  }
}

/// A listening socket, which stays open while its descriptor is in use, because the system could reuse the descriptor of a closed one.
private final class ListeningSocket: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

/// `@unchecked Sendable`: `lock` guards `connections`.
private final class ConnectionLog: @unchecked Sendable {
  private let lock = NSLock()
  private var connections = 0
  private let arrivals = AsyncStream<String>.makeStream()
  private let closings = AsyncStream<Void>.makeStream()

  var connectionCount: Int { lock.withLock { connections } }
  func addConnection() { lock.withLock { connections += 1 } }
  func add(_ head: String) { arrivals.continuation.yield(head) }
  func addClosed() { closings.continuation.yield() }

  func next() async -> String {
    for await head in arrivals.stream { return head }
    return ""
  }

  func closed() async {
    for await _ in closings.stream { return }
  }
}
