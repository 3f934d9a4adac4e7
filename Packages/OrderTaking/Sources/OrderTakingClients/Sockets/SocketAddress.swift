#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where to connect to: the bytes that the system wants.
struct SocketAddress: Sendable {
  let family: Int32
  private let bytes: [UInt8]

  /// The addresses of a host, the one to try first in front.
  ///
  /// Blocks while the name is looked up.
  ///
  /// - Throws: A sentence for logs, when there is none.
  static func resolve(_ host: String, port: Int) throws(SocketFailure) -> [SocketAddress] {
    guard (1...65_535).contains(port) else { throw SocketFailure("the port \(port) is not from 1 to 65535") }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Darwin)
      hints.ai_socktype = SOCK_STREAM
    #else
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { throw SocketFailure("cannot resolve \(host): \(String(cString: gai_strerror(code)))") }
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

  /// Lends the address in the form that the system wants, aligned.
  func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { raw in raw.copyBytes(from: bytes.prefix(raw.count)) }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }
}
