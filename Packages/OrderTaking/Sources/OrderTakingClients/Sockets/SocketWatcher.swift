internal import Dispatch
internal import Foundation

/// A thread that waits until sockets can be read or written.
///
/// Dispatch sources have the same purpose, but crash on Linux: after a hang-up, a source is removed on its own queue while
/// another thread searches the same list. See <https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949>.
///
/// `@unchecked Sendable`: `lock` guards all variables, and `interest` of every watch.
final class SocketWatcher: @unchecked Sendable {
  /// A socket that is watched.
  ///
  /// `@unchecked Sendable`: `onReady` runs only on `queue`. The watcher's lock guards `interest`.
  final class Watch: @unchecked Sendable {
    fileprivate let descriptor: Int32
    fileprivate let queue: DispatchQueue
    fileprivate let onReady: () -> Void
    fileprivate var interest: Int16 = 0

    fileprivate init(_ descriptor: Int32, _ queue: DispatchQueue, _ onReady: @escaping () -> Void) {
      self.descriptor = descriptor
      self.queue = queue
      self.onReady = onReady
    }
  }

  /// The watcher of this process, with one thread for all sockets.
  static let shared = SocketWatcher()

  private let lock = NSLock()
  private var watches: [ObjectIdentifier: Watch] = [:]
  /// The pipe that interrupts the thread's wait, `nil` before the first socket.
  private var alarm: (reading: Int32, writing: Int32)?
  private var isAlarmed = false

  /// Adds a non-blocking socket.
  ///
  /// It is watched after the first call of ``wait(for:reading:writing:)``.
  ///
  /// - Parameter onReady: A function that is called on `queue`, once for each call of ``wait(for:reading:writing:)``.
  ///   It may also be called when nothing has happened.
  func add(
    _ descriptor: Int32, on queue: DispatchQueue, onReady: @escaping () -> Void
  ) throws(SocketFailure) -> Watch {
    let watch = Watch(descriptor, queue, onReady)
    try startThread()
    lock.withLock { watches[ObjectIdentifier(watch)] = watch }
    return watch
  }

  /// Waits until the socket can be read or written, or has failed.
  func wait(for watch: Watch, reading: Bool, writing: Bool) {
    lock.withLock {
      watch.interest = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
      raiseAlarm()
    }
  }

  /// Removes a socket, which the caller may then close.
  func remove(_ watch: Watch) {
    lock.withLock {
      watches[ObjectIdentifier(watch)] = nil
      // The thread's wait keeps the connection open.
      raiseAlarm()
    }
  }

  private func startThread() throws(SocketFailure) {
    lock.lock()
    defer { lock.unlock() }
    guard alarm == nil else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketFailure(code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let reading = ends[0]
    alarm = (reading, ends[1])
    Thread.detachNewThread { [self] in
      while true { waitOnce(reading) }
    }
  }

  /// Interrupts the thread's wait.
  ///
  /// The caller holds the lock.
  private func raiseAlarm() {
    guard let alarm, !isAlarmed else { return }
    isAlarmed = true
    var byte: UInt8 = 1
    _ = write(alarm.writing, &byte, 1)
  }

  private func waitOnce(_ alarm: Int32) {
    let (watches, waiting) = lock.withLock {
      let watches = self.watches.values.filter { $0.interest != 0 }
      return (watches, watches.map { pollfd(fd: $0.descriptor, events: $0.interest, revents: 0) })
    }
    var entries = waiting + [pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)]
    guard poll(&entries, nfds_t(entries.count), -1) > 0 else {
      // Out of memory: do not try again at once.
      if errno != EINTR { _ = poll(nil, 0, 10) }
      return
    }
    lock.withLock {
      var byte: UInt8 = 0
      while read(alarm, &byte, 1) == 1 {}
      isAlarmed = false
      for (watch, entry) in zip(watches, entries) where entry.revents != 0 {
        // It may have been removed, and its descriptor used for another connection.
        guard self.watches[ObjectIdentifier(watch)] != nil else { continue }
        watch.interest = 0
        watch.queue.async { watch.onReady() }
      }
    }
  }
}
