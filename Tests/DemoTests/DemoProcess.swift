import Foundation
import ParallelTesting
import Testing

/// The demo command, run as a person runs it.
struct DemoProcess: Sendable {
  typealias Outcome = ChildProcess.Outcome

  /// Runs the command to its end.
  static func run(_ arguments: String...) async throws -> Outcome {
    try await start(arguments).outcome()
  }

  /// Starts the command, to be interrupted later.
  ///
  /// - Parameters:
  ///   - file: Where its output goes: a file, or a pipe that has a name.
  ///   - environment: Variables beside `PATH`.
  static func start(
    _ arguments: [String], into file: String? = nil, environment: [String: String] = [:]
  ) throws -> DemoProcess {
    let variables = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
    guard let file else { return DemoProcess(child: try ChildProcess(try path, arguments, environment: variables)) }
    let words = ["-c", #"file=$1; shift; exec "$0" "$@" > "$file""#, try path, file] + arguments
    return DemoProcess(child: try ChildProcess("/bin/bash", words, environment: variables))
  }

  /// Runs a line of Bash, in which `$demo` is the command.
  static func bash(_ line: String) async throws -> Outcome {
    let script = "demo='\(try path)'; \(line)"
    return try await ChildProcess("/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"]).outcome()
  }

  private static var path: String { get throws { try ChildProcess.path(besideTests: "demo") } }

  private let child: ChildProcess

  /// Its number, until `outcome` returns.
  var process: pid_t { child.processIdentifier }

  /// Sends what Ctrl-C sends.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) { child.send(signal) }

  /// Ends it without a word, as a crash does.
  func end() { send(SIGKILL) }

  /// The next line that it prints; `nil` when it ends before.
  func firstLine() async -> String? { await child.line() }

  /// Waits for the end, which a test brings about whose time is over; called once.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await child.outcome()
    } onCancel: {
      child.send(SIGKILL)
    }
  }
}

/// Waits until something holds of another process, of which nothing tells; no longer than the test may take.
///
/// It is looked at on a thread of its own, and not all the time: others need the processor, that process for one.
func eventually(_ condition: @escaping @Sendable () -> Bool) async throws {
  let holds: @Sendable () -> Bool = {
    if condition() { return true }
    usleep(1_000)
    return false
  }
  while await !onThread(holds) { try Task.checkCancellation() }
}

/// Waits for something, and says for what when the test's time is over before it has come.
func waiting<Value>(for what: String, _ work: () async throws -> Value) async throws -> Value {
  do { return try await work() } catch {
    // What a test throws whose time is over, nobody reports.
    if Task.isCancelled { Issue.record("Time was over, waiting for \(what): \(error)") }
    throw error
  }
}
