import CLibevent
import Foundation

/// A thread that runs an `event_base`.
///
/// libevent is used without its locks, because all its calls after the set-up are made on this thread. To wake the loop, another
/// thread adds a closure and writes a byte to a pipe. So the global `evthread` support, a library of its own, is not needed.
///
/// `@unchecked Sendable`: `lock` guards `jobs`, `enders`, `hasEnded` and writes to the pipe. Only the loop's thread uses `base` and
/// `wake` after the start of `run`.
final class EventLoop: @unchecked Sendable {
  let base: OpaquePointer
  private let pipe: (read: Int32, write: Int32)
  private var wake: OpaquePointer?

  private let lock = NSLock()
  private var jobs: [@Sendable () -> Void] = []
  private var enders: [@Sendable () -> Void] = []
  private var hasEnded = false
  private var isEnding = false

  /// Creates a loop and its thread, which ends with ``end()``.
  static func launch() throws(LoopbackError) -> EventLoop {
    let loop = try EventLoop()
    let thread = Thread { loop.run() }
    thread.start()
    return loop
  }

  private init() throws(LoopbackError) {
    try Self.checkForDescriptors()
    guard let base = event_base_new() else {
      throw LoopbackError.systemCall("start the event loop", code: errno)
    }
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      let code = errno
      event_base_free(base)
      throw LoopbackError.systemCall("create a pipe for the event loop", code: code)
    }
    for end in ends {
      evutil_make_socket_nonblocking(end)
      evutil_make_socket_closeonexec(end)
    }
    self.base = base
    pipe = (ends[0], ends[1])
    // The loop's thread keeps the loop alive for as long as this event can fire.
    let context = Unmanaged.passUnretained(self).toOpaque()
    wake = event_new(
      base, pipe.read, Int16(EV_READ | EV_PERSIST),
      { _, _, context in
        guard let context else { return }
        Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().runJobs()
      }, context)
    event_add(wake, nil)
  }

  /// Checks that enough file descriptors are free, because libevent stops the process if it cannot open its own.
  private static func checkForDescriptors() throws(LoopbackError) {
    var spare: [Int32] = []
    defer { for descriptor in spare { close(descriptor) } }
    for _ in 0..<spareDescriptors {
      let descriptor = socket(AF_INET, streamSocket, 0)
      guard descriptor >= 0 else { throw .systemCall("start the event loop", code: errno) }
      spare.append(descriptor)
    }
  }

  /// An epoll or kqueue, a timer, two ends for signals, two of a pipe, and some room for other threads.
  private static let spareDescriptors = 12

  #if canImport(Darwin)
    private static let streamSocket = SOCK_STREAM
  #else
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #endif

  /// Runs a closure on the loop's thread, in the order of the calls; returns `false` if the loop has ended and the closure was
  /// dropped.
  ///
  /// From any thread.
  @discardableResult
  func post(_ job: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock {
      guard !hasEnded else { return false }
      jobs.append(job)
      if jobs.count == 1 {
        var byte: UInt8 = 1
        _ = write(pipe.write, &byte, 1)
      }
      return true
    }
  }

  /// Runs a closure after the loop has ended and released its resources, at once if it has ended.
  ///
  /// From any thread.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = lock.withLock {
      if !self.hasEnded { enders.append(body) }
      return self.hasEnded
    }
    if hasEnded { body() }
  }

  /// Ends the loop after the current event.
  ///
  /// On the loop's thread only.
  func end() {
    isEnding = true
    event_base_loopbreak(base)
  }

  private func run() {
    ignoreBrokenPipes()
    // `loopbreak` before the start of the loop has no effect, hence the flag.
    while !isEnding, event_base_loop(base, 0) == 0 {}
    while true {
      runJobs()
      if lock.withLock({
        if jobs.isEmpty { hasEnded = true }; return hasEnded
      }) {
        break
      }
    }
    if let wake { event_free(wake) }
    event_base_free(base)
    close(pipe.read)
    close(pipe.write)
    let enders = lock.withLock {
      defer { self.enders = [] }
      return self.enders
    }
    for ender in enders { ender() }
  }

  private func runJobs() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(pipe.read, &bytes, bytes.count) == bytes.count {}
    let jobs = lock.withLock {
      defer { self.jobs = [] }
      return self.jobs
    }
    for job in jobs { job() }
  }

  /// Blocks SIGPIPE on this thread, so that a write to a closed connection fails with EPIPE.
  ///
  /// Other threads are not affected.
  private func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
