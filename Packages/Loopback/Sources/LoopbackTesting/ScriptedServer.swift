public import Foundation

/// A server for one test, which accepts loopback connections and performs the same action for each request.
public final class ScriptedServer: Sendable {
  public enum Action: Sendable {
    /// Sends the bytes and closes the connection.
    case reply(String)
    /// Sends the bytes and keeps the connection open until the client or the server closes it.
    case replyAndHold(String)
    /// Sends the response that the closure returns for the request's head, and closes the connection.
    case answer(@Sendable (String) -> String)
    /// Sends the bytes after each request, and keeps the connection open for further ones.
    case keepAlive(String)
    /// Sends the bytes after the first request of a connection, and closes it after the second one.
    case replyOnce(String)
    case hold
    case close
  }

  public let port: UInt16
  private let listener: Listener
  private let heads = Heads()

  public init(_ action: Action) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, pointer, &size) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    let (owner, heads) = (Listener(descriptor: listener), heads)
    self.listener = owner
    Thread.detachNewThread { Self.serve(owner, action, heads) }
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

  public var connectionCount: Int { heads.connectionCount }

  public func nextHead() async -> String {
    await heads.next()
  }

  public func clientHasClosed() async {
    await heads.closed()
  }

  private static func serve(_ listener: Listener, _ action: Action, _ heads: Heads) {
    while true {
      let connection = Int32(retrying { Int(accept(listener.descriptor, nil, nil)) })
      guard connection >= 0 else { break }
      heads.addConnection()
      if case .keepAlive(let text) = action {
        Thread.detachNewThread { keepAlive(connection, text, .max) }
        continue
      }
      if case .replyOnce(let text) = action {
        Thread.detachNewThread { keepAlive(connection, text, 1) }
        continue
      }
      var head = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      // A TLS handshake, which starts with byte 22, does not contain an empty line.
      while !head.contains("\r\n\r\n"), head.utf8.first != 22 {
        let count = retrying { recv(connection, &buffer, buffer.count, 0) }
        guard count > 0 else { break }
        head += String(decoding: buffer[..<count], as: UTF8.self)
      }
      var missing = bodyLength(of: head)
      while missing > 0 {
        let count = retrying { recv(connection, &buffer, buffer.count, 0) }
        guard count > 0 else { break }
        missing -= count
      }
      heads.add(head)
      switch action {
      case .reply(let text): write(text, to: connection)
      case .answer(let answer): write(answer(head), to: connection)
      case .replyAndHold, .hold:
        if case .replyAndHold(let text) = action { write(text, to: connection) }
        while retrying({ recv(connection, &buffer, buffer.count, 0) }) > 0 {}
        heads.addClosed()
      case .close, .keepAlive, .replyOnce:
        break
      }
      close(connection)
    }
  }
}

private func keepAlive(_ connection: Int32, _ text: String, _ limit: Int) {
  var replies = 0
  var head = ""
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = retrying { recv(connection, &buffer, buffer.count, 0) }
    guard count > 0 else { break }
    head += String(decoding: buffer[..<count], as: UTF8.self)
    guard head.contains("\r\n\r\n") else { continue }
    head = ""
    guard replies < limit else { break }
    replies += 1
    write(text, to: connection)
  }
  close(connection)
}

/// Closing a connection with unread bytes resets it, and the client could lose the response.
private func bodyLength(of text: String) -> Int {
  guard let end = text.range(of: "\r\n\r\n"),
    let field = text[..<end.lowerBound].lowercased().split(separator: "\r\n").first(where: {
      $0.hasPrefix("content-length:")
    })
  else { return 0 }
  let length = Int(field.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
  return length - text[end.upperBound...].utf8.count
}

private func write(_ text: String, to connection: Int32) {
  _ = text.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
}

/// A listening socket, which stays open while its descriptor is in use.
///
/// If it were closed earlier, the system could reuse the descriptor for another test's connection, and `stop` would
/// shut that down.
private final class Listener: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

/// Repeats a system call that a signal interrupted.
private func retrying(_ call: () -> Int) -> Int {
  while true {
    let status = call()
    // Read `errno` first, because any other call can change it.
    let code = errno
    if status >= 0 || code != EINTR { return status }
  }
}

/// `@unchecked Sendable`: `lock` guards `connections`.
private final class Heads: @unchecked Sendable {
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
