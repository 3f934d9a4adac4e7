import CLibevent
import Foundation

/// A thread that runs libevent's loop.
///
/// libevent is used without its locks, because all its calls after ``start()`` are made on this thread. To wake the loop, another thread
/// adds a closure and writes a byte to a pipe.
///
/// `@unchecked Sendable`: `lock` guards `jobs`, `enders`, `hasEnded` and writes to the pipe. Only the loop's thread
/// uses `base`, `wake` and `isEnding` after the start.
final class EventLoop: @unchecked Sendable {
  let base: OpaquePointer
  private let pipe: (read: Int32, write: Int32)
  private var wake: OpaquePointer?
  private var isEnding = false

  private let lock = NSLock()
  private var jobs: [@Sendable () -> Void] = []
  private var enders: [@Sendable () -> Void] = []
  private var hasEnded = false

  init() throws(LoopbackError) {
    var ends: [Int32] = [-1, -1]
    guard Self.hasDescriptors, let base = event_base_new(), Foundation.pipe(&ends) == 0 else {
      throw LoopbackError("start a server", code: errno, nextStep: "Check the limits of this process with 'ulimit -a'.")
    }
    for end in ends {
      evutil_make_socket_nonblocking(end)
      evutil_make_socket_closeonexec(end)
    }
    self.base = base
    pipe = (ends[0], ends[1])
    wake = event_new(
      base, pipe.read, Int16(EV_READ | EV_PERSIST),
      { _, _, context in object(EventLoop.self, at: context)?.runJobs() }, Unmanaged.passUnretained(self).toOpaque())
    event_add(wake, nil)
  }

  deinit { release() }

  /// Whether enough file descriptors are free, because libevent stops the process if it cannot open its own.
  ///
  /// A loop needs an epoll or kqueue, a timer, two ends for signals and two of a pipe.
  private static var hasDescriptors: Bool {
    let spare = (0..<12).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
    let code = errno
    for descriptor in spare where descriptor >= 0 { close(descriptor) }
    errno = code
    return !spare.contains(-1)
  }

  func start() {
    Thread { [self] in run() }.start()
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

  func waitForEnd() async {
    await withCheckedContinuation { continuation in whenEnded { continuation.resume() } }
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
    release()
    for ender in enders { ender() }
    enders = []
  }

  private func release() {
    guard let wake else { return }
    event_free(wake)
    event_base_free(base)
    close(pipe.read)
    close(pipe.write)
    self.wake = nil
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
  private func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}

/// A timer of the event loop that fires once after each call of ``set(_:)``.
///
/// Use it on the loop's thread only.
final class LoopTimer {
  private var event: OpaquePointer?
  private let body: () -> Void

  init(_ loop: EventLoop, _ body: @escaping () -> Void) {
    self.body = body
    event = event_new(
      loop.base, -1, 0,
      { _, _, context in object(LoopTimer.self, at: context)?.body() }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { free() }

  /// Fires after a time, which replaces an earlier one.
  func set(_ duration: Duration) {
    guard let event else { return }
    let bounded = min(max(.zero, duration), .seconds(1_000_000_000)) + .nanoseconds(999)
    let (seconds, attoseconds) = bounded.components
    var time = timeval(tv_sec: .init(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
    event_add(event, &time)
  }

  /// Call it before the loop ends.
  func free() {
    if let event { event_free(event) }
    event = nil
  }
}

/// Returns the object that libevent passes to a callback.
func object<Object: AnyObject>(_ type: Object.Type, at context: UnsafeMutableRawPointer?) -> Object? {
  context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
