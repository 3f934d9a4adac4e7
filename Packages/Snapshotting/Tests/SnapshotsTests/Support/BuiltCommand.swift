import Foundation
import TerminalTesting
import TestSupport

/// The built command `snapshots`, as a process in the folder of a project.
enum BuiltCommand {
  /// Starts the command.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - folder: The working directory.
  ///   - isConfined: Whether permissions of files also apply to the user root.
  ///   - after: The shell text after the command, such as redirections.
  static func start(
    _ arguments: [String], in folder: String, isConfined: Bool = false, after: String = ""
  ) throws -> ChildProcess {
    let program = try ChildProcess.path(besideTests: "snapshots")
    // Without capabilities, root has the permissions of an owner.
    let confined = isConfined && getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
    return try ChildProcess(
      "/bin/bash", ["-c", #"cd "$0" && "$@" "# + after, folder] + confined + [program] + arguments)
  }

  static func run(
    _ arguments: [String], in folder: String, isConfined: Bool = false, after: String = ""
  ) async throws -> ChildProcess.Outcome {
    try await start(arguments, in: folder, isConfined: isConfined, after: after).outcome()
  }
}

extension TerminalProcess {
  /// Starts the command `snapshots` in the folder of a project, which exists as long as the process.
  convenience init(
    _ arguments: [String], in project: Project, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    try self.init(
      ChildProcess.path(besideTests: "snapshots"), arguments, in: project.root, columns: columns, rows: rows,
      environment: environment, keeping: project)
  }
}
