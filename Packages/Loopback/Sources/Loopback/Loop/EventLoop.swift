import CLibevent
import Foundation

/// libevent is used without its locks, because all its calls after the set-up are made on this thread.
///
/// To wake the loop, another thread adds a closure and writes a byte to a pipe. So the global `evthread` support,
/// another library, is not needed.
///
/// `@unchecked Sendable`: `lock` guards `jobs`, `enders`, `hasEnded` and writes to the pipe. Only the loop's thread
/// uses `base` and `wake` after the start of `run`.
final class EventLoop: @unchecked Sendable {
  let base: OpaquePointer
  private let pipe: (read: Int32, write: Int32)
  private var wake: OpaquePointer?

  private let lock = NSLock()
  private var jobs: [@Sendable () -> Void] = []
  private var enders: [@Sendable () -> Void] = []
  private var hasEnded = false
  private var isEnding = false

  static func launch() throws(LoopbackError) -> EventLoop {
    let loop = try EventLoop()
    Thread { loop.run() }.start()
    return loop
  }

  private init() throws(LoopbackError) {
    let attempt = "start a server"
    try Self.checkForDescriptors(attempt)
    guard let base = event_base_new() else { throw LoopbackError(attempt, code: errno) }
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      let code = errno
      event_base_free(base)
      throw LoopbackError(attempt, code: code)
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
  ///
  /// A loop needs an epoll or kqueue, a timer, two ends for signals and two of a pipe.
  private static func checkForDescriptors(_ attempt: String) throws(LoopbackError) {
    var spare: [Int32] = []
    defer { for descriptor in spare { close(descriptor) } }
    for _ in 0..<12 {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw LoopbackError(attempt, code: errno) }
      spare.append(descriptor)
    }
  }

  /// Runs a closure on the loop's thread, in the order of the calls, unless the loop has ended.
  ///
  /// Any thread can call it.
  func post(_ job: @escaping @Sendable () -> Void) {
    lock.withLock {
      guard !hasEnded else { return }
      jobs.append(job)
      if jobs.count == 1 {
        var byte: UInt8 = 1
        _ = write(pipe.write, &byte, 1)
      }
    }
  }

  /// Runs a closure after the loop has ended and released its resources, at once if it has ended.
  ///
  /// Any thread can call it.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = lock.withLock {
      if !self.hasEnded { enders.append(body) }
      return self.hasEnded
    }
    if hasEnded { body() }
  }

  /// Ends the loop after the current event.
  ///
  /// Call it on the loop's thread only.
  func end() {
    isEnding = true
    event_base_loopbreak(base)
  }

  private func run() {
    ignoreBrokenPipes()
    // The flag exists because `loopbreak` has no effect before the loop starts.
    while !isEnding, event_base_loop(base, 0) == 0 {}
    while !endIfIdle() { runJobs() }
    // Deferred callbacks keep their closed bufferevents, and with them the descriptors.
    event_base_loop(base, Int32(EVLOOP_NONBLOCK))
    if let wake { event_free(wake) }
    event_base_free(base)
    close(pipe.read)
    close(pipe.write)
    for ender in enders { ender() }
    enders = []
  }

  private func endIfIdle() -> Bool {
    lock.withLock {
      hasEnded = jobs.isEmpty
      return hasEnded
    }
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
