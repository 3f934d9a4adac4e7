internal import Dispatch
internal import Foundation

/// Watches for Ctrl-C, and for the other signals that ask a process to end: the first one is told to the command, so that it can
/// clean up; a second one ends the process.
final class Interrupt {
  private let sources: [any DispatchSourceSignal]

  /// Begins to watch for Ctrl-C.
  ///
  /// - Parameter onInterrupt: Called once, on a queue of the system, at the first interrupt.
  convenience init(_ onInterrupt: @escaping @Sendable () -> Void) {
    self.init(on: [.interrupted]) { _ in onInterrupt() }
  }

  /// Begins to watch for the signals that exit reasons stand for.
  ///
  /// A signal that this process was started to ignore, as `nohup` does, is left alone.
  ///
  /// - Parameters:
  ///   - reasons: Those to watch for; what is no signal is left out.
  ///   - onSignal: Called once, on a queue of the system, with the first one that comes.
  init(on reasons: [ExitReason], _ onSignal: @escaping @Sendable (ExitReason) -> Void) {
    let queue = DispatchQueue(label: "demo.interrupt")
    let watched = reasons.compactMap { reason in reason.signal.map { (reason: reason, number: $0) } }
      .filter { !Self.ignore($0.number) || $0.reason == .interrupted }
    sources = watched.map { reason, number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: {
        for (_, number) in watched { signal(number, SIG_DFL) }
        onSignal(reason)
      })
      return source
    }
    for source in sources { source.resume() }
  }

  /// Ignores a signal, so that its default does not end the process while its source watches.
  ///
  /// - Returns: Whether it was ignored before.
  private static func ignore(_ number: Int32) -> Bool {
    unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

extension ExitReason {
  /// The signal that it stands for.
  fileprivate var signal: Int32? {
    switch self {
    case .hungUp: SIGHUP
    case .interrupted: SIGINT
    case .terminated: SIGTERM
    default: nil
    }
  }
}
