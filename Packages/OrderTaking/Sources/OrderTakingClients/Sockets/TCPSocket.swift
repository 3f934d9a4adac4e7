internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A TCP connection.
///
/// It is not thread-safe: create and use it on its queue, which also runs the callbacks. `ended` is the last event. No event follows
/// ``close()``.
final class TCPSocket {
  enum Event {
    case connected
    case received([UInt8])
    /// The connection ended, for a reason. `isWhole` if the server closed it after its last byte.
    case ended(String, isWhole: Bool)
  }

  private let descriptor: Int32
  /// `nil` after ``close()``.
  private var watch: SocketWatcher.Watch?
  private var onEvent: ((Event) -> Void)?
  private var isConnected = false
  private var outgoing: [UInt8] = []

  /// The maximum number of unsent bytes.
  ///
  /// Above it, the connection ends, because the server does not read.
  private let outgoingLimit: Int

  /// Starts to connect.
  init(
    to address: SocketAddress, on queue: DispatchQueue, outgoingLimit: Int = 64 << 10,
    onEvent: @escaping (Event) -> Void
  ) throws(SocketFailure) {
    let descriptor = socket(address.family, streamSocket, 0)
    guard descriptor >= 0 else { throw SocketFailure(code: errno) }
    self.descriptor = descriptor
    self.onEvent = onEvent
    self.outgoingLimit = outgoingLimit
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    let status = address.withSockaddr { connect(descriptor, $0, $1) }
    guard status == 0 || errno == EINPROGRESS else {
      let code = errno
      _ = closeDescriptor(descriptor)
      throw SocketFailure(code: code)
    }
    do throws(SocketFailure) {
      let watch = try SocketWatcher.shared.add(descriptor, on: queue) { [weak self] in self?.ready() }
      self.watch = watch
      SocketWatcher.shared.wait(for: watch, reading: false, writing: true)
    } catch {
      _ = closeDescriptor(descriptor)
      throw error
    }
  }

  /// Sends bytes after all earlier ones.
  func send(_ bytes: [UInt8]) {
    guard watch != nil else { return }
    outgoing += bytes
    guard outgoing.count <= outgoingLimit else {
      return end("the server does not read: more than \(outgoingLimit) bytes are unsent")
    }
    guard isConnected else { return }
    write()
    waitForMore()
  }

  /// Closes the connection without an event.
  func close() {
    onEvent = nil
    guard let watch else { return }
    self.watch = nil
    SocketWatcher.shared.remove(watch)
    _ = closeDescriptor(descriptor)
  }

  deinit { close() }

  private func ready() {
    if isConnected { read() } else { finishConnecting() }
    write()
    waitForMore()
  }

  private func waitForMore() {
    guard let watch else { return }
    SocketWatcher.shared.wait(for: watch, reading: isConnected, writing: !isConnected || !outgoing.isEmpty)
  }

  private func finishConnecting() {
    guard watch != nil else { return }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else { return end(SocketFailure(code: code).description) }
    isConnected = true
    onEvent?(.connected)
  }

  private func write() {
    while watch != nil, isConnected, !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        outgoing.removeFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        return
      } else if errno != EINTR {
        return end(SocketFailure(code: errno).description)
      }
    }
  }

  private func read() {
    guard watch != nil else { return }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    let code = errno
    if count > 0 {
      bytes.removeLast(bytes.count - count)
      onEvent?(.received(bytes))
    } else if count == 0 {
      end("the server closed the connection", isWhole: true)
    } else if code != EAGAIN, code != EWOULDBLOCK, code != EINTR {
      end(SocketFailure(code: code).description)
    }
  }

  private func end(_ reason: String, isWhole: Bool = false) {
    let tell = onEvent
    close()
    tell?(.ended(reason, isWhole: isWhole))
  }
}

/// The reason why a connection failed.
struct SocketFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(code: Int32) { self.init(String(cString: strerror(code))) }
}

#if canImport(Darwin)
  let streamSocket = SOCK_STREAM
  private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, bytes, count, 0)
  }
#else
  let streamSocket = Int32(SOCK_STREAM.rawValue)
  private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  }
#endif

func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
