import Foundation

/// A TCP proxy on 127.0.0.1, whose network can be cut.
///
/// `@unchecked Sendable`: `lock` guards `phase` and `changed`. Only the thread uses the other variables.
final class NetworkProxy: @unchecked Sendable {
  enum Phase: Equatable, Sendable {
    case open
    /// Bytes stay in transit, even after one end has closed the connection. New connections get no answer.
    case silent
    /// The next answers with this text stay in transit.
    case holding(String)
    case ended
  }

  private struct Link {
    let from: Int32
    let to: Int32
    var isAtEnd = false
    /// Bytes that stay in transit until the network is open.
    var held: [UInt8] = []
  }

  let port: Int
  private let server: Int
  private let listener: Int32
  private let lock = NSLock()
  private var phase = Phase.open
  private var changed: [CheckedContinuation<Void, Never>] = []
  /// The two directions of each connection, side by side.
  private var links: [Link] = []

  init(to server: Int) throws {
    self.server = server
    listener = newSocket()
    guard let port = listenOnFreePort(listener) else { throw CocoaError(.fileReadUnknown) }
    self.port = port
    Thread.detachNewThread { self.run() }
  }

  /// Changes the network, and returns when the change has taken effect.
  func set(_ phase: Phase) async {
    await withCheckedContinuation { continuation in
      lock.withLock { (self.phase, changed) = (phase, changed + [continuation]) }
    }
  }

  private func run() {
    while true {
      let (phase, changed) = lock.withLock {
        defer { self.changed = [] }
        return (self.phase, self.changed)
      }
      if phase == .ended {
        closeLinks()
        close(listener)
      }
      if phase == .open {
        for index in links.indices where !links[index].held.isEmpty { pass(links[index].held, index) }
      }
      for continuation in changed { continuation.resume() }
      if phase == .ended { return }
      var waits = [pollfd(fd: phase == .silent ? -1 : listener, events: Int16(POLLIN), revents: 0)]
      waits += links.map {
        pollfd(
          fd: phase == .silent || $0.isAtEnd || !$0.held.isEmpty ? -1 : $0.from, events: Int16(POLLIN), revents: 0)
      }
      // A change of the network is noticed after at most 5 milliseconds.
      guard poll(&waits, nfds_t(waits.count), 5) > 0 else { continue }
      for (index, wait) in waits.dropFirst().enumerated() where wait.revents != 0 { forward(index, phase) }
      for index in stride(from: links.count - 2, through: 0, by: -2)
      where links[index].isAtEnd && links[index + 1].isAtEnd { remove(index) }
      if waits[0].revents != 0 { connect(phase) }
    }
  }

  private func connect(_ phase: Phase) {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return }
    let target = newSocket()
    guard phase != .silent, withAddress(port: server, { open(target, $0, $1) }) == 0 else {
      close(client)
      close(target)
      return
    }
    links += [Link(from: client, to: target), Link(from: target, to: client)]
  }

  private func forward(_ index: Int, _ phase: Phase) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(links[index].from, &bytes, bytes.count, 0)
    guard count > 0 else {
      links[index].isAtEnd = true
      shutdown(links[index].to, Int32(SHUT_WR))
      return
    }
    if case .holding(let text) = phase, index % 2 == 1, bytes[..<count].contains(text.utf8) {
      links[index].held = Array(bytes[..<count])
    } else {
      pass(bytes[..<count], index)
    }
  }

  private func pass(_ bytes: some RandomAccessCollection<UInt8>, _ index: Int) {
    var rest = Array(bytes)
    links[index].held = []
    while !rest.isEmpty {
      let step = send(links[index].to, rest, rest.count, noSignal)
      if step <= 0 { break }
      rest.removeFirst(step)
    }
  }

  private func remove(_ index: Int) {
    close(links[index].from)
    close(links[index].to)
    links.removeSubrange(index...index + 1)
  }

  private func closeLinks() {
    for index in stride(from: links.count - 2, through: 0, by: -2) { remove(index) }
  }
}

#if canImport(Glibc)
  private let noSignal = Int32(MSG_NOSIGNAL)
  private let stream = Int32(SOCK_STREAM.rawValue)
#else
  private let noSignal = Int32(0)
  private let stream = SOCK_STREAM
#endif

/// Connects a socket.
///
/// The proxy's methods hide the system's functions of the same name.
private func open(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(socket, address, length)
}

private func newSocket() -> Int32 { socket(AF_INET, stream, 0) }

private func listenOnFreePort(_ socket: Int32) -> Int? {
  guard withAddress(port: 0, { bind(socket, $0, $1) }) == 0, listen(socket, 64) == 0 else { return nil }
  var address = sockaddr_in()
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
  }
  return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
}

private func withAddress(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(clamping: port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
  }
}
