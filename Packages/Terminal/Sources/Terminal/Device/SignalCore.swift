import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process-wide core that puts the terminal back: the only global mutable state of this package.
///
/// A signal handler has no argument to find a session by, so what it needs is static. It is guarded by `phase`: the
/// memory behind `record` is written only in `.claimed`, which one thread reaches by exchanging it for `.idle`, and
/// read only after exchanging `.armed` or `.away` for something else. Everything on the handlers' path is
/// async-signal-safe: atomics without locks, memory allocated beforehand, and system calls that POSIX lists.
enum SignalCore {
  enum Phase: UInt8, AtomicRepresentable {
    /// No session.
    case idle
    /// A session is being made or unmade.
    case claimed
    /// The terminal is in raw mode; the record says how to put it back.
    case armed
    /// It has been put back for a stop, or by a signal that the process outlived.
    case away
  }

  static let phase = Atomic(Phase.idle)
  private static let resized = Atomic(false)
  private static let resumed = Atomic(false)
  private static let hasExitHandler = Atomic(false)

  /// Takes the terminal: raw mode, handlers, features.
  static func begin(input: Int32, output: Int32, entering: [UInt8], leaving: [UInt8]) throws(TerminalError) {
    for descriptor in [input, output] where isatty(descriptor) != 1 { throw .notATerminal(descriptor) }
    guard phase.compareExchange(expected: .idle, desired: .claimed, ordering: .acquiringAndReleasing).exchanged else {
      throw .busy
    }
    guard TerminalRecord.awaitForeground(input) else {
      let code = errno
      phase.store(.idle, ordering: .releasing)
      throw .system("move to the foreground", descriptor: input, code: code)
    }
    guard record.pointee.fill(input: input, output: output, entering: entering, leaving: leaving) else {
      let code = errno
      phase.store(.idle, ordering: .releasing)
      throw .system("read the terminal mode", descriptor: input, code: code)
    }
    _ = wakePipe
    resized.store(false, ordering: .relaxed)
    resumed.store(false, ordering: .relaxed)
    drainWake()
    if !hasExitHandler.exchange(true, ordering: .relaxed) { atexit { SignalCore.leave() } }
    // Armed first: a signal between these lines then puts back what may not have been changed yet, and no harm is done.
    phase.store(.armed, ordering: .releasing)
    SignalHandlers.install()
    guard record.pointee.enter() else {
      let code = errno
      end()
      throw .system("enable raw mode", descriptor: input, code: code)
    }
  }

  /// Gives the terminal back and the signals to whoever had them.
  static func end() {
    leave()
    // The handlers go while the phase is neither armed nor away, so that none acts on half of this.
    phase.store(.claimed, ordering: .sequentiallyConsistent)
    SignalHandlers.remove()
    phase.store(.idle, ordering: .releasing)
  }

  /// Puts the terminal back once, whoever comes first; async-signal-safe.
  static func leave() {
    guard phase.compareExchange(expected: .armed, desired: .away, ordering: .acquiringAndReleasing).exchanged else {
      return
    }
    record.pointee.leave()
  }

  /// Takes the terminal again after a stop; async-signal-safe.
  static func reenter() {
    let isAway = phase.compareExchange(expected: .away, desired: .armed, ordering: .acquiringAndReleasing).exchanged
    // Armed still: SIGSTOP gave no warning, and the shell has set a mode of its own since.
    guard isAway || phase.load(ordering: .acquiring) == .armed else { return }
    _ = record.pointee.enter()
    resumed.store(true, ordering: .releasing)
    wake()
  }

  /// To the process, not the thread: threads of a pool have this signal blocked.
  static func suspend() { kill(getpid(), SIGTSTP) }

  static func noteResize() {
    resized.store(true, ordering: .releasing)
    wake()
  }

  static func takeResized() -> Bool { resized.exchange(false, ordering: .acquiringAndReleasing) }
  static func takeResumed() -> Bool { resumed.exchange(false, ordering: .acquiringAndReleasing) }
}

extension SignalCore {
  /// Guarded by `phase`, as said above; allocated once and never freed, since a handler may come at any time.
  private nonisolated(unsafe) static let record: UnsafeMutablePointer<TerminalRecord> = {
    let record = UnsafeMutablePointer<TerminalRecord>.allocate(capacity: 1)
    record.initialize(to: TerminalRecord())
    return record
  }()

  /// A pipe that wakes a reader out of `poll`; open for the life of the process.
  ///
  /// Without one (no descriptors left) notes wait for the next key.
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

  /// Async-signal-safe; a full pipe wakes as well as one more byte would.
  static func wake() {
    var byte: UInt8 = 0
    _ = System.write(wakePipe.write, &byte, 1)
  }

  static func drainWake() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while System.read(wakePipe.read, &bytes, 32) > 0 {}
  }
}
