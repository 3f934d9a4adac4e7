import Foundation
import Synchronization

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
    guard record.pointee.fill(input: input, output: output) else {
      let code = errno
      phase.store(.idle, ordering: .releasing)
      throw .system("read the terminal mode", descriptor: input, code: code)
    }
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

  /// A write to a full pipe fails, but the pipe then wakes the reader anyway.
  ///
  /// Async-signal-safe.
  static func wake() {
    var byte: UInt8 = 0
    _ = write(wakePipe.write, &byte, 1)
  }

  static func drainWake() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(wakePipe.read, &bytes, 32) > 0 {}
  }
}

enum SignalHandlers {
  /// The terminating signals that the session handles.
  private static let fatal = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS,
  ]

  static func install() {
    for signal in fatal { install(signal, endProcess) }
    install(SIGTSTP, stopProcess)
    install(SIGCONT, resumeProcess)
    install(SIGWINCH, noteResize)
  }

  static func remove() {
    for signal in fatal + [SIGTSTP, SIGCONT, SIGWINCH] where isInstalled[Int(signal)] {
      isInstalled[Int(signal)] = false
      sigaction(signal, previous + Int(signal), nil)
    }
  }

  /// The signal actions before the session, by signal number.
  ///
  /// Only `install` and `remove` write it, on one thread at a time because of `SignalCore.phase`. Each entry is written
  /// before its handler can run, and the handler reads it.
  private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  /// Whether the session's handler is installed, by signal number; guarded like `previous`.
  private nonisolated(unsafe) static let isInstalled: UnsafeMutablePointer<Bool> = {
    let flags = UnsafeMutablePointer<Bool>.allocate(capacity: 65)
    flags.initialize(repeating: false, count: 65)
    return flags
  }()

  private static func install(_ signal: Int32, _ handler: System.SignalHandler) {
    var before = sigaction()
    // Reads the old action before installing: the new handler can run before the installing call returns it.
    guard sigaction(signal, nil, &before) == 0, !System.ignores(before) else { return }
    (previous + Int(signal)).initialize(to: before)
    var action = System.action(handler)
    isInstalled[Int(signal)] = sigaction(signal, &action, nil) == 0
  }

  /// Restores the terminal and applies the signal's previous action.
  ///
  /// The signal is blocked while its handler runs, so the raised signal is delivered on return.
  private static let endProcess: System.SignalHandler = { signal in
    preservingErrno {
      SignalCore.leave()
      sigaction(signal, previous + Int(signal), nil)
      raise(signal)
    }
  }

  /// Restores the terminal, stops like the default action of SIGTSTP, and installs the handler again when the process
  /// continues.
  private static let stopProcess: System.SignalHandler = { signal in
    preservingErrno {
      SignalCore.leave()
      var ours = sigaction()
      sigaction(signal, previous + Int(signal), &ours)
      var stop = sigset_t()
      var before = sigset_t()
      sigemptyset(&stop)
      sigaddset(&stop, signal)
      pthread_sigmask(SIG_UNBLOCK, &stop, &before)
      raise(signal)
      pthread_sigmask(SIG_SETMASK, &before, nil)
      sigaction(signal, &ours, nil)
      // SIGCONT's handler has entered raw mode by now. If the process did not stop, this call does.
      SignalCore.reenter()
    }
  }

  private static let resumeProcess: System.SignalHandler = { _ in preservingErrno { SignalCore.reenter() } }
  private static let noteResize: System.SignalHandler = { _ in preservingErrno { SignalCore.noteResize() } }

  private static func preservingErrno(_ work: () -> Void) {
    let saved = errno
    work()
    errno = saved
  }
}

enum System {
  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  typealias SignalHandler = @convention(c) (Int32) -> Void

  /// Returns a signal action that calls a function.
  static func action(_ handler: SignalHandler?) -> sigaction {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(SA_RESTART)
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    return action
  }

  static func ignores(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the address 1 on every supported system.
    return unsafeBitCast(handler, to: Int.self) == 1
  }
}
