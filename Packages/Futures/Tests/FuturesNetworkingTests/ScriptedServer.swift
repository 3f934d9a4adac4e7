import Foundation

/// A server for one test: accepts connections on loopback, reads each request's head, and does as its script says.
final class ScriptedServer: Sendable {
  /// What the server does with a request.
  enum Act: Sendable {
    /// Sends these bytes and closes.
    case reply(String)
    /// Sends these bytes and keeps the connection open until the client or the server closes it.
    case replyAndHold(String)
    /// Sends what a request's head asks for and closes.
    case answer(@Sendable (String) -> String)
    /// Sends nothing and keeps the connection open until the client or the server closes it.
    case hold
    /// Closes without a byte.
    case close
  }

  let port: UInt16
  private let listener: Listener
  private let heads = Heads()

  init(_ act: Act) throws {
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
    Thread.detachNewThread { Self.serve(owner, act, heads) }
  }

  deinit {
    stop()
  }

  func stop() {
    shutdown(listener.descriptor, Int32(SHUT_RDWR))
  }

  var url: URL {
    get throws {
      guard let url = URL(string: "http://127.0.0.1:\(port)/birds") else { throw URLError(.badURL) }
      return url
    }
  }

  /// Waits until a request has arrived, and gives its head.
  func nextHead() async -> String {
    await heads.next()
  }

  /// Waits until the client has closed a connection that is held.
  func clientHasClosed() async {
    await heads.closed()
  }

  private static func serve(_ listener: Listener, _ act: Act, _ heads: Heads) {
    while true {
      let connection = Int32(retrying { Int(accept(listener.descriptor, nil, nil)) })
      guard connection >= 0 else { break }
      var head = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      // A TLS handshake, which starts with byte 22, has no such end.
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
      switch act {
      case .reply(let text): write(text, to: connection)
      case .answer(let answer): write(answer(head), to: connection)
      case .replyAndHold, .hold:
        if case .replyAndHold(let text) = act { write(text, to: connection) }
        while retrying({ recv(connection, &buffer, buffer.count, 0) }) > 0 {}
        heads.addClosed()
      case .close:
        break
      }
      close(connection)
    }
  }
}

/// How many bytes of a request's body are still to come; closing without them would take the answer back.
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

/// A listening socket, open for as long as anybody may still name its descriptor.
///
/// Closed any sooner, the number would be given to a connection of another test, and stopping would cut that.
private final class Listener: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

/// Calls again when a signal came in between: the test process has children, whose ends interrupt any call.
private func retrying(_ call: () -> Int) -> Int {
  while true {
    let status = call()
    // At once: whatever runs in between may set it anew.
    let code = errno
    if status >= 0 || code != EINTR { return status }
  }
}

/// What has arrived, for whoever waits for it.
private final class Heads: Sendable {
  private let arrivals = AsyncStream<String>.makeStream()
  private let closings = AsyncStream<Void>.makeStream()

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
