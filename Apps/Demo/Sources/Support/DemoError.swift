internal import Arguments

/// An error of a command: its exit code, what failed, and the next step.
///
/// The sentences are made where the error is created and only printed afterwards.
struct DemoError: Error, Equatable, CustomStringConvertible {
  let exitCode: ExitCode
  let problem: String
  let nextStep: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - problem: The failed action and its cause, as a sentence.
  ///   - nextStep: The next step, as a sentence.
  init(_ exitCode: ExitCode, _ problem: String, next nextStep: String = "") {
    (self.exitCode, self.problem, self.nextStep) = (exitCode, problem, nextStep)
  }

  /// Creates a failure.
  init(_ problem: String, next nextStep: String = "") { self.init(.failure, problem, next: nextStep) }

  /// The error of a command that a signal ended before it had a result.
  static let interrupted = DemoError(.interrupted, "Interrupted.")

  var description: String { nextStep.isEmpty ? problem : "\(problem) \(nextStep)" }
}

extension ExitCode {
  /// 3: an order may be taken; its outcome is unknown.
  static let unknownOutcome = ExitCode(3)

  /// 130: Ctrl-C or SIGTERM ended the command.
  static let interrupted = ExitCode(130)
}
