import Foundation
import ParallelTesting

/// This repository, as the tests of the house find it.
enum House {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the packages' folders.
  static func packages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Packages").path)
      .filter { FileManager.default.fileExists(atPath: root.appending(path: "Packages/\($0)/Package.swift").path) }
      .sorted()
  }

  /// The paths, from the root, of the files that git has or would have.
  static func files() async throws -> [String] {
    try await run(
      "git", "-C", root.path, "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    .split(separator: "\0").map(String.init)
    .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
  }

  /// The text of a file, or `nil` when it is none.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Evaluates a manifest.
  ///
  /// - Parameter package: The folder of the package, from the root.
  static func manifest(of package: String) async throws -> Manifest {
    // A build folder of its own: the one at the root is locked by the `swift test` that runs this.
    let dump = try await run(
      "swift", "package", "--package-path", root.appending(path: package).path,
      "--scratch-path", root.appending(path: ".build/manifests").path, "dump-package")
    return try Manifest(dump: Data(dump.utf8))
  }

  /// A command that failed, with what it said.
  struct CommandFailed: Error, CustomStringConvertible {
    var command: [String]
    var status: Int32
    var said: String
    var description: String { "`\(command.joined(separator: " "))` ended with \(status): \(said)" }
  }

  /// What a command writes.
  ///
  /// No thread of Swift's own waits for it: the other tests of the process need them, those of a browser within seconds.
  private static func run(_ command: String...) async throws -> String {
    let outcome = try await ChildProcess("/usr/bin/env", command, environment: ProcessInfo.processInfo.environment)
      .outcome()
    guard outcome.status == 0 else {
      throw CommandFailed(command: command, status: outcome.status, said: outcome.errors)
    }
    return outcome.output
  }
}
