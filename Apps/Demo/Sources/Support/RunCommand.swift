internal import Arguments
@preconcurrency internal import Dispatch
internal import Foundation
internal import Terminal

/// An error of a command: its exit code, what failed, and the next step.
///
/// The sentences are made where the error is created and only printed afterwards.
struct DemoError: Error, Equatable, CustomStringConvertible {
  let exitCode: ExitCode
  let problem: String
  let nextStep: String

  init(_ exitCode: ExitCode, _ problem: String, next nextStep: String = "") {
    (self.exitCode, self.problem, self.nextStep) = (exitCode, problem, nextStep)
  }

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

/// Runs a command in a task, prints its error, and returns its exit code.
///
/// The first Ctrl-C or SIGTERM cancels the task, so that the command can report its result and clean up. A second one ends the
/// process at once.
func runCommand(_ command: @escaping @Sendable () async throws -> ExitCode) async -> ExitCode {
  // A signal that arrives before its handler is installed would end the process without a result.
  let (handlers, areInstalled) = AsyncStream.makeStream(of: Never.self)
  let task = Task {
    for await _ in handlers {}
    return try await command()
  }
  let signals = Signals { task.cancel() }
  areInstalled.finish()
  defer { withExtendedLifetime(signals) {} }
  do {
    return try await task.value
  } catch let error as TerminalError where error.kind == .closed {
    // The pipe is closed. Ctrl-C also ends the other commands of a pipeline.
    return task.isCancelled ? report(.interrupted) : .success
  } catch let error as DemoError {
    return report(error)
  } catch {
    return report(error is CancellationError ? .interrupted : DemoError("\(error)"))
  }
}

/// Prints an error on standard error, and returns its exit code.
func report(_ error: DemoError) -> ExitCode {
  try? TerminalDevice.standardError.write("Error: \(escaped("\(error)"))\n")
  return error.exitCode
}

/// Receives Ctrl-C and SIGTERM as long as it exists.
///
/// `@unchecked Sendable`: `first` is used only on `queue`, and `sources` only in `init`.
private final class Signals: @unchecked Sendable {
  private let queue = DispatchQueue(label: "demo.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var first: (number: Int32, time: ContinuousClock.Instant)?

  /// Returns when the handlers are installed.
  ///
  /// - Parameter onFirst: Called once, on a background queue. The next signal ends the process.
  init(_ onFirst: @escaping @Sendable () -> Void) {
    let registrations = DispatchGroup()
    sources = [SIGINT, SIGTERM].map { number in
      // On Linux, Dispatch replaces the default action, which would end the process.
      #if canImport(Darwin)
        signal(number, SIG_IGN)
      #endif
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.receive(number, onFirst) }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.resume()
      return source
    }
    registrations.wait()
  }

  private func receive(_ number: Int32, _ onFirst: @escaping @Sendable () -> Void) {
    guard let first else {
      first = (number, .now)
      // On another thread, so that blocked work does not delay a second signal.
      return DispatchQueue.global().async { onFirst() }
    }
    // `timeout` sends each signal twice: to the process and to its group.
    if number == first.number, first.time.duration(to: .now) < .milliseconds(100) { return }
    _exit(ExitCode.interrupted.rawValue)
  }
}
