import CLibevent
import Foundation

/// A listening socket on a loopback address.
///
/// On the loop's thread only.
final class Listener {
  let port: Int

  private var listener: OpaquePointer?
  private let host: String
  private let accept: (Int32) -> Void
  private let onError: (LoopbackError) -> Void
  /// Resumes accepting after an error.
  ///
  /// The listening socket stays readable while the process has no free descriptor, so an immediate retry would spin.
  private var retry: LoopTimer?
  /// Whether the last attempt failed, so that a lasting error is reported once.
  private var isFailing = false

  init(
    _ loop: EventLoop, address: LoopbackAddress, port: Int, accept: @escaping (Int32) -> Void,
    onError: @escaping (LoopbackError) -> Void
  ) throws(LoopbackError) {
    let attempt = "listen on \(address.urlHost):\(port)"
    guard (0...65_535).contains(port) else { throw .invalidPort(attempt) }
    let (socket, bound) = try Self.bind(address, UInt16(port), attempt)
    self.port = bound
    self.host = address.urlHost
    self.accept = accept
    self.onError = onError
    let context = Unmanaged.passUnretained(self).toOpaque()
    let options = UInt32(LEV_OPT_CLOSE_ON_FREE) | UInt32(LEV_OPT_CLOSE_ON_EXEC)
    listener = evconnlistener_new(
      loop.base,
      { _, socket, _, _, context in
        guard let context else { return }
        let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
        listener.isFailing = false
        listener.accept(socket)
      }, context, options, 512, socket)
    guard listener != nil else {
      let code = errno
      Foundation.close(socket)
      throw LoopbackError.systemCall(attempt, code: code)
    }
    retry = LoopTimer(loop) { [unowned self] in
      if let listener { evconnlistener_enable(listener) }
    }
    evconnlistener_set_error_cb(listener) { _, context in
      let code = errno
      guard let context else { return }
      Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().failed(code)
    }
  }

  /// Pauses accepting after an error, and reports it unless the previous attempt failed too.
  private func failed(_ code: Int32) {
    if let listener { evconnlistener_disable(listener) }
    retry?.set(.milliseconds(50))
    guard !isFailing else { return }
    isFailing = true
    onError(.systemCall("accept connections on \(host):\(port)", code: code))
  }

  /// Closes the socket.
  func close() {
    if let listener { evconnlistener_free(listener) }
    listener = nil
    retry?.free()
  }

  private static func bind(
    _ address: LoopbackAddress, _ port: UInt16, _ attempt: String
  ) throws(LoopbackError) -> (socket: Int32, port: Int) {
    let family = address == .ipv4 ? AF_INET : AF_INET6
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let socket = Foundation.socket(family, stream, 0)
    guard socket >= 0 else { throw .systemCall(attempt, code: errno) }
    evutil_make_socket_nonblocking(socket)
    evutil_make_socket_closeonexec(socket)
    // Without it a server cannot take up its port again for a minute after its last connection.
    evutil_make_listen_socket_reuseable(socket)
    var storage = sockaddr_storage()
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      let raw = UnsafeMutableRawPointer(pointer)
      let address = raw.assumingMemoryBound(to: sockaddr.self)
      var length: socklen_t
      switch family {
      case AF_INET:
        var loopback = sockaddr_in()
        loopback.sin_family = sa_family_t(AF_INET)
        loopback.sin_port = port.bigEndian
        loopback.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        raw.storeBytes(of: loopback, as: sockaddr_in.self)
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
      default:
        var loopback = sockaddr_in6()
        loopback.sin6_family = sa_family_t(AF_INET6)
        loopback.sin6_port = port.bigEndian
        loopback.sin6_addr = in6addr_loopback
        raw.storeBytes(of: loopback, as: sockaddr_in6.self)
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      }
      guard Foundation.bind(socket, address, length) == 0, listen(socket, 512) == 0 else { return errno }
      return getsockname(socket, address, &length) == 0 ? 0 : errno
    }
    guard result == 0 else {
      Foundation.close(socket)
      throw .systemCall(attempt, code: result)
    }
    // The port stands at the same place in both kinds of address.
    let bound = withUnsafeBytes(of: &storage) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
    return (socket, Int(UInt16(bigEndian: bound)))
  }
}
