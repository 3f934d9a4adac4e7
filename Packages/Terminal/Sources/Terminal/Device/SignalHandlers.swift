#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signal handlers of a session: installing, removing, and what each does.
enum SignalHandlers {
  /// Those that end a process.
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

  /// The actions before ours, by signal number.
  ///
  /// Written by `install` and `remove` alone, which `SignalCore.phase` keeps to one thread, each entry before its handler can run; read by that handler.
  private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  /// Whether ours is in place, by signal number; guarded as `previous` is.
  private nonisolated(unsafe) static let isInstalled: UnsafeMutablePointer<Bool> = {
    let flags = UnsafeMutablePointer<Bool>.allocate(capacity: 65)
    flags.initialize(repeating: false, count: 65)
    return flags
  }()

  private static func install(_ signal: Int32, _ handler: System.SignalHandler) {
    var before = sigaction()
    // Asked for first, not by the installing call: the handler may run before that one has told.
    guard sigaction(signal, nil, &before) == 0, !System.ignores(before) else { return }
    (previous + Int(signal)).initialize(to: before)
    var action = System.action(handler)
    isInstalled[Int(signal)] = sigaction(signal, &action, nil) == 0
  }

  /// Puts the terminal back and lets the signal do what it would have done without us.
  ///
  /// The signal is blocked while its handler runs, so the one raised here arrives on return; a crash that is repeated
  /// on return arrives the same way.
  private static let endProcess: System.SignalHandler = { signal in
    preservingErrno {
      SignalCore.leave()
      sigaction(signal, previous + Int(signal), nil)
      raise(signal)
    }
  }

  /// Puts the terminal back, stops as SIGTSTP does by itself, and has the handler again when the process goes on.
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
      // SIGCONT's handler has taken the terminal by now, unless nothing stopped: then this does.
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

  /// Gives this thread a stack for handlers, or a stack overflow could not be handled.
  ///
  /// Kept as long as the thread.
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
