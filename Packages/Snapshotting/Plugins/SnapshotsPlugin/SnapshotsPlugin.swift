import Foundation
import PackagePlugin

/// `swift package snapshots`: runs the command `snapshots` in the package.
@main
struct SnapshotsPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "snapshots").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    // SwiftPM uses the standard input and output of a plugin for its own messages.
    if let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") {
      process.standardInput = terminal
      process.standardOutput = terminal
    }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      Diagnostics.error("snapshots ended with exit code \(process.terminationStatus).")
      return
    }
  }
}
