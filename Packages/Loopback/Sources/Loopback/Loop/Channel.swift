import CLibevent
import Foundation

/// An accepted connection, plain or with TLS: a bufferevent and a timer.
///
/// Use it on the loop's thread only.
///
/// libevent reads bytes into its buffer up to a limit. So the channel notices a closed connection also while no bytes are read
/// from it.
final class Channel {
  enum Event {
    case secured
    case readable
    case drained
    case inputEnded
    case failed(String)
    case stalled
    case timeUp
  }

  /// Called with each event until the channel is closed.
  var onEvent: (Event) -> Void = { _ in }

  let clientAddress: String

  private let loop: EventLoop
  private var buffers: OpaquePointer?
  private var session: TLSSession?
  private var timer: LoopTimer?
  private var chunk: [UInt8]
  private var writable: OpaquePointer?
  private var isPaused = false
  private var hasEnded = false
  private static let readMark = 64 << 10

  /// With TLS, ``Event/secured`` or ``Event/failed(_:)`` comes first.
  init?(_ loop: EventLoop, socket: Int32, tls: TLSContext?) {
    self.loop = loop
    clientAddress = Self.peerAddress(of: socket)
    chunk = [UInt8](repeating: 0, count: Self.readMark)
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    timer = LoopTimer(loop) { [unowned self] in onEvent(.timeUp) }
    guard tls.map({ openTLS(socket, $0) }) ?? openPlain(socket) else { return nil }
  }

  deinit { close() }

  /// Returns the received bytes, at most 64 KiB.
  func read() -> [UInt8] {
    guard let buffers else { return [] }
    let count = bufferevent_read(buffers, &chunk, chunk.count)
    if isPaused, !hasEnded, evbuffer_get_length(bufferevent_get_input(buffers)) < Self.readMark {
      isPaused = false
      bufferevent_enable(buffers, Int16(EV_READ))
    }
    return Array(chunk.prefix(count))
  }

  var hasInput: Bool { buffers.map { evbuffer_get_length(bufferevent_get_input($0)) > 0 } ?? false }

  var backlog: Int { buffers.map { evbuffer_get_length(bufferevent_get_output($0)) } ?? 0 }

  func limitStalls(to duration: Duration) {
    guard let buffers else { return }
    var time = timeval(duration)
    bufferevent_set_timeouts(buffers, nil, &time)
  }

  func write(_ bytes: [UInt8]) {
    guard let buffers, !bytes.isEmpty else { return }
    bufferevent_write(buffers, bytes, bytes.count)
  }

  /// The client reads an end of file.
  func endOutput() {
    guard let buffers else { return }
    session?.sendCloseNotify()
    shutdown(bufferevent_getfd(buffers), Int32(SHUT_WR))
  }

  func setTimer(_ duration: Duration?) { timer?.set(duration) }

  var clientName: String? { session?.clientName }

  func close() {
    timer?.free()
    timer = nil
    onEvent = { _ in }
    session?.sendCloseNotify()
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

  /// Continues without TLS after a failed handshake, and closes the sending side.
  ///
  /// If the socket closed with unread bytes, the system would reset it, and the client could lose OpenSSL's alert.
  func abandonTLS() -> Bool {
    guard let buffers else { return false }
    let socket = fcntl(bufferevent_getfd(buffers), F_DUPFD_CLOEXEC, 0)
    freeBuffers()
    guard socket >= 0, openPlain(socket) else { return false }
    endOutput()
    return true
  }

  private static func peerAddress(of socket: Int32) -> String {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
    }
    guard isKnown, inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
      Foundation.close(socket)
      return false
    }
    bufferevent_setwatermark(buffers, Int16(EV_READ), 0, Self.readMark)
    start(buffers)
    return true
  }

  private func openTLS(_ socket: Int32, _ context: TLSContext) -> Bool {
    // Deferred callbacks, or libevent would report the end of the input before the bytes that it read before the end.
    let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue | BEV_OPT_DEFER_CALLBACKS.rawValue)
    guard let connection = context.makeSession(),
      // On failure, it frees the session, but does not close the socket.
      let buffers = bufferevent_openssl_socket_new(loop.base, socket, connection, BUFFEREVENT_SSL_ACCEPTING, options)
    else {
      Foundation.close(socket)
      return false
    }
    // Without libevent's limit for the buffer: at the limit it leaves bytes in OpenSSL, and waits for more from the socket.
    start(buffers)
    session = TLSSession(of: buffers)
    writable = event_new(
      loop.base, socket, Int16(EV_WRITE), { _, _, context in Channel.at(context)?.send(.drained) },
      Unmanaged.passUnretained(self).toOpaque())
    return true
  }

  private func start(_ buffers: OpaquePointer) {
    self.buffers = buffers
    bufferevent_setcb(
      buffers,
      { _, context in Channel.at(context)?.received() },
      { _, context in Channel.at(context)?.sent() },
      { _, what, context in Channel.at(context)?.happened(Int32(what)) },
      Unmanaged.passUnretained(self).toOpaque())
    bufferevent_enable(buffers, Int16(EV_READ | EV_WRITE))
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Channel? {
    context.map { Unmanaged<Channel>.fromOpaque($0).takeUnretainedValue() }
  }

  private func received() {
    if session != nil, let buffers, evbuffer_get_length(bufferevent_get_input(buffers)) >= Self.readMark {
      isPaused = true
      bufferevent_disable(buffers, Int16(EV_READ))
    }
    send(.readable)
  }

  private func sent() {
    guard let writable else { return send(.drained) }
    // The close notify, which can follow, is lost if the socket cannot take it.
    event_add(writable, nil)
  }

  private func send(_ event: Event) {
    if case .drained = event, backlog > 0 { return }
    onEvent(event)
  }

  private func happened(_ what: Int32) {
    guard let buffers else { return }
    let code = errno
    // The callbacks of TLS report several events at once.
    if what & BEV_EVENT_ERROR != 0 {
      let cause = session == nil ? String(cString: strerror(code)) : TLSSession.cause(of: buffers, errno: code)
      session = nil
      send(.failed(cause))
    } else if what & BEV_EVENT_EOF != 0 {
      hasEnded = true
      // OpenSSL's bufferevent stops both directions.
      if session != nil { bufferevent_enable(buffers, Int16(EV_WRITE)) }
      send(.inputEnded)
    } else if what & BEV_EVENT_TIMEOUT != 0 {
      send(.stalled)
    } else if what & BEV_EVENT_CONNECTED != 0 {
      send(.secured)
    }
  }
}
