import CLibevent
import Foundation

/// An accepted connection, plain or with TLS: a bufferevent and a timer.
///
/// Use it on the loop's thread only.
final class Channel {
  enum Event {
    /// The first event. With TLS it follows the handshake, and ``handshakeFailed`` or ``inputEnded`` can come instead.
    case opened
    case handshakeFailed
    case received([UInt8])
    /// All written bytes were sent.
    case drained
    case inputEnded
    case failed(String)
    case timeUp
  }

  /// Called with each event until the channel is closed.
  var onEvent: (Event) -> Void = { _ in }

  private static let lingerTime = Duration.seconds(1)

  private let loop: EventLoop
  private var buffers: OpaquePointer?
  private var session: OpaquePointer?
  private var timer: LoopTimer?
  private var writable: OpaquePointer?
  private var isOpen = false

  /// Takes ownership of the socket, also on failure.
  init?(_ loop: EventLoop, socket: Int32, tls: TLSContext?) {
    self.loop = loop
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    timer = LoopTimer(loop) { [unowned self] in onEvent(.timeUp) }
    guard tls.map({ openTLS(socket, $0) }) ?? openPlain(socket) else {
      Foundation.close(socket)
      return nil
    }
  }

  deinit { close() }

  func start() {
    if session == nil { opened() }
  }

  func write(_ bytes: [UInt8]) {
    guard let buffers, !bytes.isEmpty else { return }
    bufferevent_write(buffers, bytes, bytes.count)
  }

  func setTimer(_ duration: Duration) { timer?.set(duration) }

  var clientName: String? { session.flatMap { verifiedName(of: $0) } }

  func close() {
    timer?.free()
    timer = nil
    onEvent = { _ in }
    sendCloseNotify()
    freeBuffers()
  }

  /// Ends the connection so that the client sees an error.
  func reset() {
    session = nil
    if let buffers {
      var linger = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout.size(ofValue: linger))
      setsockopt(bufferevent_getfd(buffers), SOL_SOCKET, SO_LINGER, &linger, size)
    }
    close()
  }

  /// Closes the sending side, and discards what the client still sends until its end or for a second.
  ///
  /// If a socket closed with unread bytes, the system would reset it, and the client could lose the last bytes.
  ///
  /// - Parameter end: Called at the end, and not after ``close()``.
  func closeAfterInput(then end: @escaping () -> Void) {
    sendCloseNotify()
    let socket = buffers.map { fcntl(bufferevent_getfd($0), F_DUPFD_CLOEXEC, 0) } ?? -1
    freeBuffers()
    guard socket >= 0, openPlain(socket) else {
      if socket >= 0 { Foundation.close(socket) }
      return end()
    }
    shutdown(socket, Int32(SHUT_WR))
    timer?.set(Self.lingerTime)
    onEvent = { event in
      switch event {
      case .opened, .received, .drained: break
      case .handshakeFailed, .inputEnded, .failed, .timeUp: end()
      }
    }
  }

  /// Call it after all bytes were sent, and not after an error.
  private func sendCloseNotify() {
    guard let session, SSL_is_init_finished(session) == 1 else { return }
    SSL_shutdown(session)
    ERR_clear_error()
  }

  private func freeBuffers() {
    session = nil
    if let writable { event_free(writable) }
    writable = nil
    if let buffers { bufferevent_free(buffers) }
    buffers = nil
  }
}

// MARK: - The two kinds of bufferevents

extension Channel {
  private func openPlain(_ socket: Int32) -> Bool {
    guard let buffers = bufferevent_socket_new(loop.base, socket, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
      return false
    }
    listen(to: buffers)
    return true
  }

  private func openTLS(_ socket: Int32, _ context: TLSContext) -> Bool {
    // Deferred callbacks, or libevent would report the end of the input before the bytes that it read before the end.
    let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue | BEV_OPT_DEFER_CALLBACKS.rawValue)
    guard let connection = context.makeSession(),
      // On failure, it frees the session, but does not close the socket.
      let buffers = bufferevent_openssl_socket_new(loop.base, socket, connection, BUFFEREVENT_SSL_ACCEPTING, options)
    else { return false }
    listen(to: buffers)
    session = bufferevent_openssl_get_ssl(buffers)
    writable = event_new(
      loop.base, socket, Int16(EV_WRITE), { _, _, context in object(Channel.self, at: context)?.drained() },
      Unmanaged.passUnretained(self).toOpaque())
    return true
  }

  private func listen(to buffers: OpaquePointer) {
    self.buffers = buffers
    bufferevent_setcb(
      buffers,
      { _, context in object(Channel.self, at: context)?.received() },
      { _, context in object(Channel.self, at: context)?.sent() },
      { _, what, context in object(Channel.self, at: context)?.happened(Int32(what)) },
      Unmanaged.passUnretained(self).toOpaque())
    bufferevent_enable(buffers, Int16(EV_READ | EV_WRITE))
  }

  private func opened() {
    isOpen = true
    onEvent(.opened)
  }

  private func received() {
    guard let buffers else { return }
    let available = evbuffer_get_length(bufferevent_get_input(buffers))
    let bytes = [UInt8](unsafeUninitializedCapacity: available) {
      $1 = bufferevent_read(buffers, $0.baseAddress, available)
    }
    if !bytes.isEmpty { onEvent(.received(bytes)) }
  }

  private func sent() {
    guard let writable else { return drained() }
    // The close notify, which can follow, is lost if the socket cannot take it.
    event_add(writable, nil)
  }

  private func drained() {
    guard let buffers, evbuffer_get_length(bufferevent_get_output(buffers)) == 0 else { return }
    onEvent(.drained)
  }

  private func happened(_ what: Int32) {
    guard let buffers else { return }
    let code = errno
    // The callbacks of TLS report several events at once.
    if what & BEV_EVENT_ERROR != 0 {
      let error = bufferevent_get_openssl_error(buffers)
      // libevent adds the category, a small number, before the errors of OpenSSL.
      let cause = error > 0xFF ? "TLS: \(tlsText(of: error))" : String(cString: strerror(code))
      session = nil
      onEvent(isOpen ? .failed(cause) : .handshakeFailed)
    } else if what & BEV_EVENT_EOF != 0 {
      // OpenSSL's bufferevent stops both directions.
      if session != nil { bufferevent_enable(buffers, Int16(EV_WRITE)) }
      onEvent(.inputEnded)
    } else if what & BEV_EVENT_CONNECTED != 0 {
      opened()
    }
  }
}
