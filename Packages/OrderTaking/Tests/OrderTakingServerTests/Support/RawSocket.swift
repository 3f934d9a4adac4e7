import Foundation

/// A TCP client that sends exactly the bytes that it is told to.
///
/// Each call that blocks has a thread of its own, and gives up after a minute.
actor RawSocket {
  struct Failure: Error { let code: Int32 }

  enum End: Equatable { case endOfFile, reset, timeOut }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var end: End?

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, stream, 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// Sends bytes; a connection that is gone is noticed when reading.
  nonisolated func send(_ bytes: some Sequence<UInt8>) async {
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

  nonisolated func send(_ text: String) async { await send(text.utf8) }

  nonisolated func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next line without its end; `nil` at the end of the connection.
  func line() async -> String? {
    while true {
      if let index = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(index + 1) }
        return String(decoding: buffer[..<index], as: UTF8.self)
      }
      guard end == nil else { return nil }
      await readSome()
    }
  }

  /// Everything up to the end of the connection.
  func rest() async -> (text: String, end: End) {
    while end == nil { await readSome() }
    defer { buffer = [] }
    return (String(decoding: buffer, as: UTF8.self), end ?? .timeOut)
  }

  private func readSome() async {
    let (bytes, end) = await onThread { [descriptor] () -> ([UInt8], End?) in
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard retrying({ Int(poll(&ready, 1, 60_000)) }) == 1 else { return ([], .timeOut) }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = retrying { recv(descriptor, &chunk, chunk.count, 0) }
      return count > 0 ? (Array(chunk.prefix(count)), nil) : ([], count == 0 ? .endOfFile : .reset)
    }
    buffer += bytes
    self.end = self.end ?? end
  }
}

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Calls again when a signal came in between.
private func retrying(_ call: () -> Int) -> Int {
  while true {
    let status = call()
    let code = errno
    if status >= 0 || code != EINTR { return status }
  }
}
