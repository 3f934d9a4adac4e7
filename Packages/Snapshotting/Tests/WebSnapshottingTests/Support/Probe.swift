import Foundation
import TestSupport

/// A process with a browser, which tests examine after the process has ended.
///
/// The process, its shell and its browser inherit the pipe `lifeline`. No real browser writes to it. Its end of file reports
/// that all of them have ended.
struct Probe: Sendable {
  private let child: ChildProcess
  private let folder: TemporaryFolder
  private let lifeline: ChildProcess

  var process: pid_t { child.processIdentifier }

  static var program: String { get throws { try ChildProcess.path(besideTests: "WebSnapshottingProbe") } }

  init(
    _ arguments: String..., temporary: TemporaryFolder, variables more: [String: String] = [:], wrapper: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    let pipe = folder.file("lifeline")
    guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    lifeline = try ChildProcess("/bin/cat", [pipe])
    var variables = ProcessInfo.processInfo.environment
    variables["TMPDIR"] = temporary.path
    variables = variables.merging(more) { $1 }.filter { !$0.value.isEmpty }
    child = try ChildProcess(
      "/bin/sh", ["-c", #"exec "$@" 9> "$0""#, pipe] + wrapper + [try Self.program] + arguments,
      environment: variables)
  }

  /// The next line that the process prints.
  func line() async -> String? { await child.line() }

  /// The next line that the fake browser writes to descriptor 6.
  func browserLine() async -> String? { await lifeline.line() }

  func lines() async -> [String] {
    var lines: [String] = []
    while let line = await line() { lines.append(line) }
    return lines
  }

  /// Waits until the process and its browser have ended, and returns the status of the process.
  func end() async -> Int32 {
    _ = await lifeline.outcome()
    let outcome = await child.outcome()
    FileHandle.standardError.write(Data(outcome.errors.utf8))
    return outcome.status
  }
}
