import CLibevent
import Foundation

/// An accepted connection: a bufferevent and a timer.
///
/// Use it on the loop's thread only.
///
/// libevent reads bytes into its buffer up to a limit. So the channel notices a closed connection also while no bytes are read
/// from it.
final class Channel {
  enum Event {
    /// Bytes can be read.
    case readable
    /// All written bytes were sent.
    case drained
    /// The client closed its sending side.
    case inputEnded
    /// The connection broke.
    case failed(String)
    /// The client read no bytes within the time limit.
    case stalled
    /// The timer fired.
    case timeUp
  }

  /// Called with each event until the channel is closed.
  var onEvent: (Event) -> Void = { _ in }

  private var buffers: OpaquePointer?
  private var timer: LoopTimer?
  private var chunk: [UInt8]
  private static let readMark = 64 << 10

  /// Creates the channel of an accepted socket, or closes the socket and returns `nil` if memory is short.
  init?(_ loop: EventLoop, socket: Int32) {
    chunk = [UInt8](repeating: 0, count: Self.readMark)
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    guard let buffers = bufferevent_socket_new(loop.base, socket, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
      Foundation.close(socket)
      return nil
    }
    self.buffers = buffers
    timer = LoopTimer(loop) { [unowned self] in onEvent(.timeUp) }
    bufferevent_setwatermark(buffers, Int16(EV_READ), 0, Self.readMark)
    bufferevent_setcb(
      buffers,
      { _, context in Channel.at(context)?.send(.readable) },
      { _, context in Channel.at(context)?.send(.drained) },
      { _, what, context in Channel.at(context)?.happened(Int32(what)) },
      Unmanaged.passUnretained(self).toOpaque())
    bufferevent_enable(buffers, Int16(EV_READ | EV_WRITE))
  }

  deinit { close() }

  /// Returns the received bytes, at most 64 KiB.
  func read() -> [UInt8] {
    guard let buffers else { return [] }
    let count = bufferevent_read(buffers, &chunk, chunk.count)
    return Array(chunk.prefix(count))
  }

  /// Whether received bytes were not read yet.
  var hasInput: Bool { buffers.map { evbuffer_get_length(bufferevent_get_input($0)) > 0 } ?? false }

  /// The number of written bytes that were not sent.
  var backlog: Int { buffers.map { evbuffer_get_length(bufferevent_get_output($0)) } ?? 0 }

  /// Sets the time limit of ``Event/stalled``.
  func limitStalls(to duration: Duration) {
    guard let buffers else { return }
    var time = timeval(duration)
    bufferevent_set_timeouts(buffers, nil, &time)
  }

  /// Sends bytes after those written before.
  func write(_ bytes: [UInt8]) {
    guard let buffers, !bytes.isEmpty else { return }
    bufferevent_write(buffers, bytes, bytes.count)
  }

  /// Closes the sending side.
  ///
  /// The client reads an end of file.
  func endOutput() {
    guard let buffers else { return }
    shutdown(bufferevent_getfd(buffers), Int32(SHUT_WR))
  }

  /// Sets the one timer of the connection, or stops it.
  func setTimer(_ duration: Duration?) { timer?.set(duration) }

  /// Ends the connection.
  ///
  /// No event follows.
  func close() {
    timer?.free()
    timer = nil
    onEvent = { _ in }
    if let buffers { bufferevent_free(buffers) }
    buffers = nil
  }

  /// Ends the connection so that the client sees an error.
  func reset() {
    if let buffers {
      var linger = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout.size(ofValue: linger))
      setsockopt(bufferevent_getfd(buffers), SOL_SOCKET, SO_LINGER, &linger, size)
    }
    close()
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Channel? {
    context.map { Unmanaged<Channel>.fromOpaque($0).takeUnretainedValue() }
  }

  private func send(_ event: Event) {
    if case .drained = event, backlog > 0 { return }
    onEvent(event)
  }

  private func happened(_ what: Int32) {
    if what & BEV_EVENT_TIMEOUT != 0 {
      send(.stalled)
    } else if what & BEV_EVENT_EOF != 0 {
      send(.inputEnded)
    } else if what & BEV_EVENT_ERROR != 0 {
      send(.failed(String(cString: strerror(errno))))
    }
  }
}
