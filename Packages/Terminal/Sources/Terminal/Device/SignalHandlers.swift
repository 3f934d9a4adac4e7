#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signal handlers of a session.
enum SignalHandlers {
  /// The terminating signals that the session handles.
  private static let fatal = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS,
  ]

  static func install() {
    useAlternateStack()
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
  /// The signal is blocked while its handler runs, so the raised signal is delivered on return. A repeated crash on
  /// return is delivered in the same way.
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

  /// Allocates an alternate stack for handlers on this thread, so that a stack overflow can be handled.
  ///
  /// The stack is never freed.
  private static func useAlternateStack() {
    var current = stack_t()
    guard sigaltstack(nil, &current) == 0, Int32(current.ss_flags) & Int32(SS_DISABLE) != 0 else { return }
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }
}
