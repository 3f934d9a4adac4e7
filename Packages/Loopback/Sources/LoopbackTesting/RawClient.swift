internal import Foundation

/// A TCP client that sends exactly the bytes that it is told to, and says how the connection ended.
///
/// ```swift
/// let client = try RawClient(port: server.port)
/// await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: nonsense\r\n\r\n")
/// #expect(await client.readLine() == "HTTP/1.1 400 Bad Request\r")
/// #expect(await client.readToEnd().end == .endOfFile)
/// ```
///
/// It connects to 127.0.0.1. Each call that blocks has a thread of its own: a dispatch queue would not do, since it stops
/// making threads at 64, and Swift's own tasks on Linux are among those that then wait. Nothing is waited for longer than
/// a minute. Letting go of the client closes the connection.
public actor RawClient {
  /// How a connection ended, as this side saw it.
  public enum End: Sendable, Hashable {
    /// The other side has sent all that it had to send.
    case endOfFile
    /// The connection broke.
    case reset
    /// Nothing came within a minute.
    case timedOut
  }

  /// Why there is no connection.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port that was tried.
    public let port: Int
    /// The system's number for what went wrong, such as `ECONNREFUSED`.
    public let code: Int32

    /// What happened, and what to do.
    public var description: String {
      "Cannot connect to 127.0.0.1:\(port): \(String(cString: strerror(code))). Check that a server listens there."
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var end: End?

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1.
  ///   - receiveBuffer: How many bytes the system shall keep for this side before the other one has to wait; the system's
  ///     own choice if `nil`.
  /// - Throws: ``Failure``.
  public init(port: Int, receiveBuffer: Int32? = nil) throws(Failure) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
      let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(clamping: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let code = errno
    guard result == 0 else {
      close(descriptor)
      throw Failure(port: port, code: code)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends bytes, all of them unless the connection breaks; that is noticed when reading.
  public nonisolated func send(_ bytes: some Sequence<UInt8>) async {
    let bytes = Array(bytes)
    await onThread { [descriptor] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  /// Sends a text as UTF-8.
  public nonisolated func send(_ text: String) async { await send(text.utf8) }

  /// Ends the sending side; what the other one sends still comes.
  public nonisolated func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both sides, as a client does that goes away.
  public nonisolated func vanish() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// All bytes up to the end of the connection that were not read yet, and that end.
  public func readToEnd() async -> (bytes: [UInt8], end: End) {
    while end == nil { await readSome() }
    defer { buffer = [] }
    return (buffer, end ?? .timedOut)
  }

  /// The next line without its line feed, as UTF-8; `nil` when the connection ends before one.
  public func readLine() async -> String? {
    while true {
      if let index = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(index + 1) }
        return String(decoding: buffer[..<index], as: UTF8.self)
      }
      guard end == nil else { return nil }
      await readSome()
    }
  }

  /// Exactly so many bytes, or fewer at the end of the connection.
  public func read(_ count: Int) async -> [UInt8] {
    while buffer.count < count, end == nil { await readSome() }
    defer { buffer.removeFirst(min(count, buffer.count)) }
    return Array(buffer.prefix(count))
  }

  private func readSome() async {
    let (bytes, end) = await onThread { [descriptor] () -> ([UInt8], End?) in
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard retrying({ Int(poll(&ready, 1, patience)) }) == 1 else { return ([], .timedOut) }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = retrying { recv(descriptor, &chunk, chunk.count, 0) }
      return count > 0 ? (Array(chunk.prefix(count)), nil) : ([], count == 0 ? .endOfFile : .reset)
    }
    buffer += bytes
    self.end = self.end ?? end
  }
}

/// In milliseconds.
private let patience: Int32 = 60_000

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// Waits for what blocks, on a thread that may be blocked.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Calls again when a signal came in between: the ends of other tests' children interrupt any call.
private func retrying(_ call: () -> Int) -> Int {
  while true {
    let status = call()
    // At once: whatever runs in between may set it anew.
    let code = errno
    if status >= 0 || code != EINTR { return status }
  }
}
