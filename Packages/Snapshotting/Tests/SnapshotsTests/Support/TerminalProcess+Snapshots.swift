import TerminalTesting
import TestSupport

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
