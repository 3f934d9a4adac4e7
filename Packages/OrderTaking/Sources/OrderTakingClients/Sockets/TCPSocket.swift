internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A TCP connection on Dispatch sources.
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
  private let reading: any DispatchSourceRead
  private var writing: (any DispatchSourceWrite)?
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
    // Each direction has a separate descriptor, because Dispatch on Linux loses events if two sources share one.
    let outlet = dup(descriptor)
    guard outlet >= 0 else {
      let code = errno
      _ = closeDescriptor(descriptor)
      throw SocketFailure(code: code)
    }
    _ = fcntl(outlet, F_SETFD, FD_CLOEXEC)
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    reading.setEventHandler { [weak self] in self?.readable() }
    // A descriptor must stay open until its source was cancelled.
    reading.setCancelHandler { _ = closeDescriptor(descriptor) }
    let writing = DispatchSource.makeWriteSource(fileDescriptor: outlet, queue: queue)
    writing.setEventHandler { [weak self] in self?.writable() }
    writing.setCancelHandler { _ = closeDescriptor(outlet) }
    self.writing = writing
    writing.activate()
    reading.activate()
  }

  /// Sends bytes after all earlier ones.
  func send(_ bytes: [UInt8]) {
    outgoing += bytes
    guard outgoing.count <= outgoingLimit else {
      return end("the server does not read: more than \(outgoingLimit) bytes are unsent")
    }
    if isConnected { write() }
  }

  /// Closes the connection without an event.
  func close() {
    onEvent = nil
    reading.cancel()
    // A suspended source cannot be cancelled.
    if isSuspended { writing?.resume() }
    isSuspended = false
    writing?.cancel()
    writing = nil
  }

  deinit { close() }

  private var isSuspended = false

  private func writable() {
    guard onEvent != nil else { return }
    if !isConnected {
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
      guard code == 0 else { return end(SocketFailure(code: code).description) }
      isConnected = true
      onEvent?(.connected)
      guard onEvent != nil else { return }
    }
    write()
  }

  private func write() {
    while !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        outgoing.removeFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        return wantToWrite(true)
      } else if errno != EINTR {
        return end(SocketFailure(code: errno).description)
      }
    }
    wantToWrite(false)
  }

  private func wantToWrite(_ wants: Bool) {
    guard let writing, wants == isSuspended else { return }
    isSuspended = !wants
    if wants { writing.resume() } else { writing.suspend() }
  }

  private func readable() {
    guard onEvent != nil else { return }
    // A failed connection is readable too. The socket has the error.
    guard isConnected else { return writable() }
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
