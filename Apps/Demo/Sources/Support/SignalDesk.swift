internal import Foundation

/// Where the signals of this process that ask it to end are received, for all that watch for them.
///
/// A handler writes the number of each signal into a pipe, and a thread reads it there: what came before the thread runs waits in
/// the pipe.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class SignalDesk: @unchecked Sendable {
  /// What somebody who watches wants to be called.
  struct Watch: Sendable {
    let limit: Duration?
    let hurry: @Sendable () -> Void
    let onSignal: @Sendable () -> Void
  }

  /// The only one: signals are the process's.
  static let shared = SignalDesk()

  private let lock = NSLock()
  private var watches: [Int: Watch] = [:]
  private var count = 0
  private var isInstalled = false
  private var heard = HeardSignals()

  /// The first signal that came.
  var first: ExitReason? { lock.withLock { heard.first } }

  /// Adds somebody who watches, and begins to receive signals.
  ///
  /// - Returns: What to remove it by.
  func add(_ watch: Watch) -> Int {
    lock.withLock {
      count += 1
      watches[count] = watch
      if !isInstalled { install() }
      return count
    }
  }

  func remove(_ number: Int) {
    lock.withLock { watches[number] = nil }
  }

  /// Whether a signal does nothing to this process.
  static func ignores(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  // MARK: Receiving

  /// The end of the pipe that the handler writes to: set once, before there is a handler, and from then on only read.
  private nonisolated(unsafe) static var writingEnd: Int32 = -1

  private func install() {
    isInstalled = true
    var ends: [Int32] = [-1, -1]
    // Without a pipe signals do to the process what they do by themselves.
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler that waited for room would stop whatever it has interrupted.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    Self.writingEnd = ends[1]
    let reading = ends[0]
    Thread.detachNewThread { self.receive(from: reading) }
    for reason in ExitReason.allCases {
      guard let number = reason.signal, !Self.ignores(number) || reason == .interrupted else { continue }
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalDesk.writingEnd, &byte, 1)
        errno = saved
      }
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      action.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
      sigaction(number, &action, nil)
    }
  }

  private func receive(from pipe: Int32) {
    var deadline: ContinuousClock.Instant?
    while true {
      let left = deadline.map { max(0, Int32((ContinuousClock.now.duration(to: $0) / .milliseconds(1)).rounded(.up))) }
      var state = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let ready = poll(&state, 1, left ?? -1)
      if ready == 0 { end() }
      var byte: UInt8 = 0
      guard ready > 0, read(pipe, &byte, 1) == 1 else { continue }
      guard let reason = ExitReason.allCases.first(where: { $0.signal == Int32(byte) }) else { continue }
      let (meaning, watches) = lock.withLock { (heard.hear(reason, at: .now), Array(self.watches.values)) }
      if watches.isEmpty { return leave(to: Int32(byte)) }
      switch meaning {
      case .wish: break
      case .echo: continue
      case .impatience: end()
      }
      deadline = watches.compactMap(\.limit).min().map { ContinuousClock.now + $0 }
      // On a thread of its own: one that waits, for a reader for instance, must not keep a second signal from ending all.
      Thread.detachNewThread { for watch in watches { watch.onSignal() } }
    }
  }

  /// Nobody watches any more: the signal does what it does by itself.
  private func leave(to number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  /// Ends the process, with the number of the first signal.
  private func end() -> Never {
    let (reason, watches) = lock.withLock { (heard.first ?? .interrupted, Array(self.watches.values)) }
    // No further signal ends it in the middle, but a file system that does not answer must not keep it, either.
    Thread.detachNewThread {
      sleep(5)
      _exit(reason.rawValue)
    }
    for watch in watches { watch.hurry() }
    _exit(reason.rawValue)
  }
}

extension ExitReason {
  /// The signal that it stands for.
  fileprivate var signal: Int32? {
    switch self {
    case .hungUp: SIGHUP
    case .interrupted: SIGINT
    case .quit: SIGQUIT
    case .terminated: SIGTERM
    default: nil
    }
  }
}
