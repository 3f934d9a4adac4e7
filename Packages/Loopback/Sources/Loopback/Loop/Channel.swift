import CLibevent
import Foundation

/// One accepted connection: a bufferevent and a timer.
///
/// On the loop's thread only.
///
/// Bytes are read into libevent's buffer up to a mark, and wait there until they are taken; so a client that goes away
/// is noticed also while nobody reads what it sent.
final class Channel {
  enum Event {
    /// There are bytes to take.
    case readable
    /// Everything written has left.
    case drained
    /// The client will send nothing more.
    case inputEnded
    /// The connection broke.
    case failed(String)
    /// The client took nothing for the time allowed.
    case stalled
    /// The time set last is over.
    case timeUp
  }

  /// Called with each event until the channel is closed.
  var onEvent: (Event) -> Void = { _ in }

  private var buffers: OpaquePointer?
  private var timer: LoopTimer?
  private var chunk: [UInt8]
  private static let readMark = 64 << 10

  /// Takes over an accepted socket; `nil`, with the socket closed, when memory is short.
  init?(_ loop: EventLoop, socket: Int32, stallTimeout: Duration?) {
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
    if let stallTimeout {
      var time = timeval(stallTimeout)
      bufferevent_set_timeouts(buffers, nil, &time)
    }
    bufferevent_setcb(
      buffers,
      { _, context in Channel.at(context)?.send(.readable) },
      { _, context in Channel.at(context)?.send(.drained) },
      { _, what, context in Channel.at(context)?.happened(Int32(what)) },
      Unmanaged.passUnretained(self).toOpaque())
    bufferevent_enable(buffers, Int16(EV_READ | EV_WRITE))
  }

  deinit { close() }

  /// Takes bytes that have come, at most 64 KiB at a time; empty when there are none.
  func read() -> [UInt8] {
    guard let buffers else { return [] }
    let count = bufferevent_read(buffers, &chunk, chunk.count)
    return Array(chunk.prefix(count))
  }

  /// Whether bytes have come that were not taken.
  var hasInput: Bool { buffers.map { evbuffer_get_length(bufferevent_get_input($0)) > 0 } ?? false }

  /// How many bytes have been written and not left.
  var backlog: Int { buffers.map { evbuffer_get_length(bufferevent_get_output($0)) } ?? 0 }

  /// Sends bytes after those written before.
  func write(_ bytes: [UInt8]) {
    guard let buffers, !bytes.isEmpty else { return }
    bufferevent_write(buffers, bytes, bytes.count)
  }

  /// Sends no more; the client reads an end of file.
  func endOutput() {
    guard let buffers else { return }
    shutdown(bufferevent_getfd(buffers), Int32(SHUT_WR))
  }

  /// Sets the one timer of the connection, or stops it.
  func setTimer(_ duration: Duration?) { timer?.set(duration) }

  /// Ends the connection.
  ///
  /// No event comes any more.
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
