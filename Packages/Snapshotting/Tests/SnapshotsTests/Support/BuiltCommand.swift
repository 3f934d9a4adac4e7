import Foundation
import TestSupport

/// The built command `snapshots`, as a process in the folder of a project.
enum BuiltCommand {
  /// Starts the command.
  ///
  /// - Parameter isConfined: Whether permissions of files also apply to the user root.
  static func start(_ arguments: [String], in folder: String, isConfined: Bool = false) throws -> ChildProcess {
    let program = try ChildProcess.path(besideTests: "snapshots")
    // Without capabilities, root has the permissions of an owner.
    let confined = isConfined && getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
    return try ChildProcess("/bin/bash", ["-c", #"cd "$0" && exec "$@""#, folder] + confined + [program] + arguments)
  }

  /// Runs the command.
  static func run(
    _ arguments: [String], in folder: String, isConfined: Bool = false
  ) async throws -> ChildProcess.Outcome {
    try await start(arguments, in: folder, isConfined: isConfined).outcome()
  }
}
