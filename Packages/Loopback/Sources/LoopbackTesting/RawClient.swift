internal import Foundation

/// A TCP client that sends any bytes, and reports how the connection ended.
///
/// ```swift
/// let client = try RawClient(port: server.port)
/// await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: nonsense\r\n\r\n")
/// #expect(await client.readLine() == "HTTP/1.1 400 Bad Request\r")
/// #expect(await client.readToEnd().end == .endOfFile)
/// ```
///
/// It connects to 127.0.0.1. No call waits for longer than a minute. The release of the client closes the connection.
public actor RawClient {
  public enum End: Sendable, Hashable {
    case endOfFile
    case reset
    case timedOut
  }

  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    public let port: Int
    /// The system's error number, for example `ECONNREFUSED`.
    public let code: Int32

    public var description: String {
      "Cannot connect to 127.0.0.1:\(port): \(String(cString: strerror(code))). Check that a server listens there."
    }
  }

  nonisolated let descriptor: Int32
  private var buffer: [UInt8] = []
  private var end: End?

  /// Connects to a port of 127.0.0.1; `receiveBuffer` is the size of the system's receive buffer in bytes.
  ///
  /// - Throws: ``Failure``.
  public init(port: Int, receiveBuffer: Int32? = nil) throws(Failure) {
    let descriptor = tcpSocket()
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var number = UInt16(clamping: port)
    guard withLoopbackAddress(&number, { connect(descriptor, $0, $1.pointee) }) == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(port: port, code: code)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends all bytes, unless the connection breaks; a later read reports that.
  public nonisolated func send(_ bytes: some Sequence<UInt8>) async {
    let bytes = Array(bytes)
    await onThread { [descriptor] in sendAll(bytes, to: descriptor) }
  }

  public nonisolated func send(_ text: String) async { await send(text.utf8) }

  /// Closes the sending side; data of the server still arrives.
  public nonisolated func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  public nonisolated func disconnect() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  public func readToEnd() async -> (bytes: [UInt8], end: End) {
    while end == nil { await readSome() }
    defer { buffer = [] }
    return (buffer, end ?? .timedOut)
  }

  /// Reads the next line without its line feed, as UTF-8; `nil` if the connection ends before a line feed.
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

  /// Reads exactly this number of bytes, or fewer at the end of the connection.
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

private let patience: Int32 = 60_000
