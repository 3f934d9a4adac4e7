import Foundation
import PackagePlugin

/// `swift package snapshots`: runs the subcommands of `snapshots` that only read, so that SwiftPM asks for no permission.
@main
struct SnapshotsPlugin: CommandPlugin {
  private static let reading = ["status", "show", "unreferenced", "annotations", "help", "--help", "-h", "--version"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let arguments = arguments.isEmpty ? ["status"] : arguments
    let words = arguments.joined(separator: " ")
    guard let command = arguments.first, Self.reading.contains(command), !arguments.contains("--delete") else {
      return Diagnostics.error(
        """
        Cannot run '\(words)' without permission to write. Run: swift run snapshots \(words), or \
        swift package --allow-writing-to-package-directory review-snapshots \(words)
        """)
    }
    let process = Process()
    process.executableURL = try context.tool(named: "Snapshots").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      Diagnostics.error("snapshots \(command) ended with exit code \(process.terminationStatus).")
    }
  }
}
