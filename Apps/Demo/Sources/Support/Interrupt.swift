internal import Arguments
internal import Foundation

/// Handles Ctrl-C and other signals that end a process.
///
/// The first signal calls the command, so that it can clean up. A second signal, or a clean-up that exceeds its time limit, ends
/// the process. No signal is lost while this object exists. The same signal twice within 0.1 s counts once.
final class Interrupt: Sendable {
  private let number: Int

  /// Starts to handle signals.
  ///
  /// A signal that the process ignores since its start, as with `nohup`, stays ignored. Ctrl-C is always handled.
  ///
  /// - Parameters:
  ///   - limit: The time limit after the first signal; none by default.
  ///   - hurry: Called on the signal thread at a second signal or at the time limit. The process ends when it returns.
  ///   - onSignal: Called once, on a new thread, at the first signal.
  init(
    within limit: Duration? = nil, hurry: @escaping @Sendable () -> Void = {},
    _ onSignal: @escaping @Sendable () -> Void
  ) {
    number = SignalDispatcher.shared.add(SignalDispatcher.Watch(limit: limit, hurry: hurry, onSignal: onSignal))
  }

  deinit { SignalDispatcher.shared.remove(number) }

  /// The time limit for a command that only has to print its result.
  static let outputTimeLimit = Duration.seconds(15)

  static var wasReceived: Bool { SignalDispatcher.shared.first != nil }

  /// Whether the first signal was Ctrl-C (`SIGINT`).
  static var isCtrlC: Bool { SignalDispatcher.shared.first == .interrupted }

  /// The exit code of the process: for an interrupted command, the code of the first signal.
  static func exitCode(for code: ExitCode) -> ExitCode {
    guard code == ExitReason.interrupted.exitCode else { return code }
    return (SignalDispatcher.shared.first ?? .interrupted).exitCode
  }

  /// Restores the system's default action for Ctrl-\ and for crashes.
  ///
  /// Swift's handlers print a stack trace and continue after Ctrl-\. To get a stack trace of a crash, set `SWIFT_BACKTRACE`.
  static func leaveCrashesToTheSystem() {
    let crashes = getenv("SWIFT_BACKTRACE") == nil ? [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] : []
    for number in [SIGQUIT] + crashes where !SignalDispatcher.ignores(number) { signal(number, SIG_DFL) }
  }
}
