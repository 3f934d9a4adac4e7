import CLibevent
import Foundation

/// A listening socket on 127.0.0.1.
///
/// Use it on the loop's thread only, or before the loop starts.
final class Listener {
  /// Called with each accepted socket.
  var onAccept: (Int32) -> Void = { _ in }
  private(set) var port: Int

  private var listener: OpaquePointer?
  /// Accepts again after a failure.
  ///
  /// The listening socket stays readable without a free descriptor, so an immediate retry would spin.
  private var retry: LoopTimer?

  init(_ loop: EventLoop, port: Int) throws(LoopbackError) {
    let attempt = "listen on 127.0.0.1:\(port)"
    guard let number = UInt16(exactly: port) else {
      throw LoopbackError(
        attempt, cause: "the port is not in the range 0 to 65535", nextStep: "Use port 0 for any free port.")
    }
    self.port = port
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Without the option for reuse, a server cannot use its port again for a minute after its last connection.
    let options = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE
    let context = Unmanaged.passUnretained(self).toOpaque()
    listener = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let listener = evconnlistener_new_bind(
          loop.base, { _, socket, _, _, context in object(Listener.self, at: context)?.onAccept(socket) }, context,
          UInt32(options), 512, address, Int32(length))
        if let listener { getsockname(evconnlistener_get_fd(listener), address, &length) }
        return listener
      }
    }
    guard let listener else {
      throw LoopbackError(
        attempt, code: errno, nextStep: "Choose another port above 1023, or port 0 for any free port.")
    }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    retry = LoopTimer(loop) { evconnlistener_enable(listener) }
    evconnlistener_set_error_cb(listener) { listener, context in
      evconnlistener_disable(listener)
      object(Listener.self, at: context)?.retry?.set(.milliseconds(50))
    }
  }

  deinit { close() }

  /// Stops listening.
  ///
  /// A child process has copies of all descriptors until it runs its program. On Linux, `shutdown` refuses connections at
  /// once nevertheless.
  func close() {
    retry?.free()
    if let listener {
      shutdown(evconnlistener_get_fd(listener), Int32(SHUT_RDWR))
      evconnlistener_free(listener)
    }
    listener = nil
  }
}
