import Foundation
import TestSupport

/// The process whose browser is looked at after its end.
///
/// `lifeline` is a pipe that the process, its shell and its browser inherit, and no real browser writes to: its end of file
/// says that none of them is left.
struct Probe: Sendable {
  private let child: ChildProcess
  /// Where the pipe is.
  private let folder: TemporaryFolder
  private let lifeline: ChildProcess

  var process: pid_t { child.processIdentifier }

  /// Where the program is.
  static var program: String { get throws { try ChildProcess.path(besideTests: "WebSnapshottingProbe") } }

  /// - Parameters:
  ///   - arguments: What it is to do.
  ///   - temporary: Its folder for what goes.
  ///   - variables: What is different in its environment; an empty text takes a variable out.
  ///   - wrapper: A program that is started in its place, and the first of its arguments, to start it.
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

  /// The next line that a stand-in for its browser writes to the descriptor that is kept for it, which is 6 there.
  func browserLine() async -> String? { await lifeline.line() }

  /// All that the process prints, up to its end.
  func lines() async -> [String] {
    var lines: [String] = []
    while let line = await line() { lines.append(line) }
    return lines
  }

  /// Waits until neither the process nor its browser is left, and takes the process's status.
  func end() async -> Int32 {
    _ = await lifeline.outcome()
    let outcome = await child.outcome()
    FileHandle.standardError.write(Data(outcome.errors.utf8))
    return outcome.status
  }
}
