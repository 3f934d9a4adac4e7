internal import Foundation

/// Receives the signals that end this process and distributes them to all watches.
///
/// The signal handler writes the number of each signal into a pipe, and a thread reads it, so no signal is lost.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class SignalDispatcher: @unchecked Sendable {
  struct Watch: Sendable {
    let limit: Duration?
    let hurry: @Sendable () -> Void
    let onSignal: @Sendable () -> Void
  }

  static let shared = SignalDispatcher()

  private let lock = NSLock()
  private var watches: [Int: Watch] = [:]
  private var count = 0
  private var isInstalled = false
  private var classifier = SignalClassifier()

  var first: ExitReason? { lock.withLock { classifier.first } }

  /// Adds a watch and installs the signal handlers if needed.
  ///
  /// - Returns: The number to remove the watch with.
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

  /// The writing end of the pipe.
  ///
  /// Set once, before a handler is installed, and then only read.
  private nonisolated(unsafe) static var writingEnd: Int32 = -1

  private func install() {
    isInstalled = true
    var ends: [Int32] = [-1, -1]
    // Without a pipe, signals keep their default action.
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not block the thread that it interrupts.
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
        _ = write(SignalDispatcher.writingEnd, &byte, 1)
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
      let (meaning, watches) = lock.withLock { (classifier.classify(reason, at: .now), Array(self.watches.values)) }
      if watches.isEmpty { return leave(to: Int32(byte)) }
      switch meaning {
      case .first: break
      case .duplicate: continue
      case .further: end()
      }
      deadline = watches.compactMap(\.limit).min().map { ContinuousClock.now + $0 }
      // On a new thread: a blocked callback must not delay a second signal.
      Thread.detachNewThread { for watch in watches { watch.onSignal() } }
    }
  }

  /// Repeats the signal with its default action, because no watch is left.
  private func leave(to number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  /// Ends the process with the code of the first signal.
  private func end() -> Never {
    let (reason, watches) = lock.withLock { (classifier.first ?? .interrupted, Array(self.watches.values)) }
    // Signals no longer end the process here, so a hanging clean-up needs a limit.
    Thread.detachNewThread {
      sleep(5)
      _exit(reason.rawValue)
    }
    for watch in watches { watch.hurry() }
    _exit(reason.rawValue)
  }
}

extension ExitReason {
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
