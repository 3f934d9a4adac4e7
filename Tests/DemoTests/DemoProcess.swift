import Foundation
import TestSupport
import Testing

/// The demo command as a child process.
struct DemoProcess: Sendable {
  typealias Outcome = ChildProcess.Outcome

  static func run(_ arguments: String...) async throws -> Outcome {
    try await start(arguments).outcome()
  }

  /// Starts the command, with variables in addition to `PATH`.
  static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> DemoProcess {
    let variables = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
    return DemoProcess(child: try ChildProcess(try path, arguments, environment: variables))
  }

  /// Runs a line of Bash, in which `$demo` is the path of the command.
  static func bash(_ line: String) async throws -> Outcome {
    let script = "demo='\(try path)'; \(line)"
    return try await ChildProcess("/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"]).outcome()
  }

  private static var path: String { get throws { try ChildProcess.path(besideTests: "demo") } }

  private let child: ChildProcess

  /// Sends `SIGINT`, as Ctrl-C does.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) { child.send(signal) }

  func kill() { send(SIGKILL) }

  /// The next line of its output, or `nil` at the end.
  func nextLine() async -> String? { await child.line() }

  /// Waits for the end of the process.
  ///
  /// Call it once. Cancellation, for example at the test's time limit, kills the process.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await child.outcome()
    } onCancel: {
      child.send(SIGKILL)
    }
  }
}

/// Runs `work`, and records an issue with a description if the test's time limit ends it.
func waiting<Value>(for what: String, _ work: () async throws -> Value) async throws -> Value {
  do { return try await work() } catch {
    // Swift Testing does not report the error of a test that reached its time limit.
    if Task.isCancelled { Issue.record("The time limit ended the wait for \(what): \(error)") }
    throw error
  }
}
