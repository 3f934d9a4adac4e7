#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The address of a server, in the form of the system.
struct SocketAddress: Sendable {
  let family: Int32
  private let bytes: [UInt8]

  /// Returns the addresses of a host in the order of preference, at least one.
  ///
  /// It blocks during the look-up.
  static func resolve(_ host: String, port: Int) throws(SocketFailure) -> [SocketAddress] {
    guard (1...65_535).contains(port) else { throw SocketFailure("the port \(port) is not from 1 to 65535") }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamSocket
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { throw SocketFailure("cannot resolve \(host): \(cause(of: code))") }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next?.pointee {
      if let address = info.ai_addr {
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
        addresses.append(SocketAddress(family: info.ai_family, bytes: Array(bytes)))
      }
      next = info.ai_next
    }
    guard !addresses.isEmpty else { throw SocketFailure("cannot resolve \(host): no address found") }
    return addresses
  }

  /// Returns the cause of a failed look-up.
  ///
  /// Without a free file descriptor the system reports an unknown name, so this opens one to find out.
  private static func cause(of code: Int32) -> String {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { return SocketFailure(code: errno).description }
    _ = closeDescriptor(descriptor)
    return String(cString: gai_strerror(code))
  }

  /// Calls a function with the aligned address.
  func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { raw in raw.copyBytes(from: bytes.prefix(raw.count)) }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }
}
