internal import Foundation

/// Creates a TCP socket that child processes do not inherit.
func tcpSocket() -> Int32 {
  #if canImport(Glibc)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    let type = SOCK_STREAM | SOCK_CLOEXEC
  #else
    let type = SOCK_STREAM
  #endif
  return socket(AF_INET, type, 0)
}

/// Calls a function with the address of a port of 127.0.0.1, and stores the port of the address afterwards.
func withLoopbackAddress<Value>(
  _ port: inout UInt16, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
) -> Value {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  defer { port = UInt16(bigEndian: address.sin_port) }
  return withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
  }
}

/// Runs blocking calls on a new thread.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Sends all bytes, unless the connection breaks.
func sendAll(_ bytes: [UInt8], to descriptor: Int32) {
  #if canImport(Darwin)
    let noSignal: Int32 = 0
  #else
    let noSignal = Int32(MSG_NOSIGNAL)
  #endif
  var sent = 0
  while sent < bytes.count {
    let count = retrying {
      bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal) }
    }
    guard count > 0 else { return }
    sent += count
  }
}

/// Repeats a system call that a signal interrupted, for example because a child process of another test ended.
func retrying(_ call: () -> Int) -> Int {
  while true {
    let status = call()
    // Read `errno` first, because any other call can change it.
    let code = errno
    if status >= 0 || code != EINTR { return status }
  }
}
