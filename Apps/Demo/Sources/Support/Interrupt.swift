internal import Arguments
internal import Foundation

/// Watches for Ctrl-C, and for the other signals that ask a process to end: the first one is told to the command, so that it can
/// clean up; a second one, or a clean-up that takes too long, ends the process.
///
/// From the moment that this exists no signal is lost. The same one twice within a tenth of a second is one.
final class Interrupt: Sendable {
  private let number: Int

  /// Begins to watch.
  ///
  /// A signal that this process was started to ignore, as `nohup` does, is left alone; but Ctrl-C is not.
  ///
  /// - Parameters:
  ///   - limit: How long the command may take after the first signal; as long as it takes when this is left out.
  ///   - hurry: Called when that time is over, or at a second signal, on the thread that watches: puts away what must not stay. The
  ///     process ends when it returns.
  ///   - onSignal: Called once, on a thread of its own, at the first signal.
  init(
    within limit: Duration? = nil, hurry: @escaping @Sendable () -> Void = {},
    _ onSignal: @escaping @Sendable () -> Void
  ) {
    number = SignalDesk.shared.add(SignalDesk.Watch(limit: limit, hurry: hurry, onSignal: onSignal))
  }

  deinit { SignalDesk.shared.remove(number) }

  /// How long a command may take that has nothing more to do than to tell, to whoever reads it.
  static let timeToTell = Duration.seconds(15)

  /// Whether a signal has come.
  static var hasCome: Bool { SignalDesk.shared.first != nil }

  /// Whether the first signal was that of Ctrl-C, and not another process's wish.
  static var isCtrlC: Bool { SignalDesk.shared.first == .interrupted }

  /// The number to end with: for a command that was interrupted, that of the signal which did it.
  static func exitCode(for code: ExitCode) -> ExitCode {
    guard code == ExitReason.interrupted.exitCode else { return code }
    return (SignalDesk.shared.first ?? .interrupted).exitCode
  }

  /// Ends this process at Ctrl-\ and at a crash as the system does it by itself.
  ///
  /// Swift's own handlers would print a trace of the stack, which is no use to who runs the command, and go on after Ctrl-\. Whoever
  /// wants the trace of a crash sets `SWIFT_BACKTRACE`.
  static func leaveCrashesToTheSystem() {
    let crashes = getenv("SWIFT_BACKTRACE") == nil ? [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] : []
    for number in [SIGQUIT] + crashes where !SignalDesk.ignores(number) { signal(number, SIG_DFL) }
  }
}
