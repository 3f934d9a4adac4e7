import Foundation
import TestSupport

/// The built command `snapshots`, as a process in the folder of a project.
enum BuiltCommand {
  /// Starts the command.
  ///
  /// - Parameters:
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
