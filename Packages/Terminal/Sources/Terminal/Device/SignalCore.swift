import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process-wide state that restores the terminal: the only global mutable state of this package.
///
/// A signal handler has no argument for a session, so its state is static. `phase` guards it. The memory behind `record`
/// is written only in `.claimed`, which one thread enters from `.idle`. It is read only after a transition out of
/// `.armed` or `.away`. The code that handlers call is async-signal-safe: lock-free atomics, memory allocated beforehand,
/// and system calls from the POSIX list.
enum SignalCore {
  enum Phase: UInt8, AtomicRepresentable {
    /// No session.
    case idle
    /// A session is being started or ended.
    case claimed
    /// The terminal is in raw mode; the record holds the mode to restore.
    case armed
    /// The terminal was restored for a stop, or by a signal that did not end the process.
    case away
  }

  static let phase = Atomic(Phase.idle)
  private static let resized = Atomic(false)
  private static let resumed = Atomic(false)
  private static let hasExitHandler = Atomic(false)

  /// Starts a session: enables raw mode, the signal handlers and the session's features.
  static func begin(input: Int32, output: Int32) throws(TerminalError) {
    guard phase.compareExchange(expected: .idle, desired: .claimed, ordering: .acquiringAndReleasing).exchanged else {
      throw .busy
    }
    func failure(_ attempt: String) -> TerminalError {
      let code = errno
      phase.store(.idle, ordering: .releasing)
      return .system(attempt, descriptor: input, code: code)
    }
    guard TerminalRecord.awaitForeground(input) else { throw failure("move to the foreground") }
    guard record.pointee.fill(input: input, output: output) else { throw failure("read the terminal mode") }
    _ = wakePipe
    resized.store(false, ordering: .relaxed)
    resumed.store(false, ordering: .relaxed)
    drainWake()
    if !hasExitHandler.exchange(true, ordering: .relaxed) { atexit { SignalCore.leave() } }
    // Armed before the handlers: a signal between these lines restores a terminal that may be unchanged, which is harmless.
    phase.store(.armed, ordering: .releasing)
    SignalHandlers.install()
    guard record.pointee.enter() else {
      let code = errno
      end()
      throw .system("enable raw mode", descriptor: input, code: code)
    }
  }

  /// Restores the terminal and the previous signal handlers.
  static func end() {
    leave()
    // Removes the handlers in phase `.claimed`, so that no handler acts on a partly removed session.
    phase.store(.claimed, ordering: .sequentiallyConsistent)
    SignalHandlers.remove()
    phase.store(.idle, ordering: .releasing)
  }

  /// Restores the terminal if the session has it, so that only the first of several calls does; async-signal-safe.
  static func leave() {
    guard phase.compareExchange(expected: .armed, desired: .away, ordering: .acquiringAndReleasing).exchanged else {
      return
    }
    record.pointee.leave()
  }

  /// Enters raw mode again after a stop; async-signal-safe.
  static func reenter() {
    let isAway = phase.compareExchange(expected: .away, desired: .armed, ordering: .acquiringAndReleasing).exchanged
    // Still armed: SIGSTOP cannot be handled, and the shell has set its own mode since.
    guard isAway || phase.load(ordering: .acquiring) == .armed else { return }
    _ = record.pointee.enter()
    resumed.store(true, ordering: .releasing)
    wake()
  }

  /// Sends SIGTSTP to the process, because the threads of a thread pool block this signal.
  static func suspend() { kill(getpid(), SIGTSTP) }

  /// Sends SIGQUIT to the process; its handler restores the terminal.
  static func quit() { kill(getpid(), SIGQUIT) }

  static func noteResize() {
    resized.store(true, ordering: .releasing)
    wake()
  }

  static func takeResized() -> Bool { resized.exchange(false, ordering: .acquiringAndReleasing) }
  static func takeResumed() -> Bool { resumed.exchange(false, ordering: .acquiringAndReleasing) }
}

extension SignalCore {
  /// The saved terminal modes, guarded by `phase`; allocated once and never freed, because a handler can run at any time.
  private nonisolated(unsafe) static let record: UnsafeMutablePointer<TerminalRecord> = {
    let record = UnsafeMutablePointer<TerminalRecord>.allocate(capacity: 1)
    record.initialize(to: TerminalRecord())
    return record
  }()

  /// A pipe that wakes a reader from `poll`; open for the lifetime of the process.
  ///
  /// Without a pipe (no descriptors left) notifications are delayed until the next key.
  private static let wakePipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }()

  static var wakeDescriptor: Int32 { wakePipe.read }

  /// Wakes the reader; async-signal-safe.
  ///
  /// A write to a full pipe fails, but the pipe then wakes the reader anyway.
  static func wake() {
    var byte: UInt8 = 0
    _ = write(wakePipe.write, &byte, 1)
  }

  static func drainWake() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(wakePipe.read, &bytes, 32) > 0 {}
  }
}
