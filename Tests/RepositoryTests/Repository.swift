import Foundation
import TestSupport

/// Reads this repository's files and manifests.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the packages' folders.
  static func packages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Packages").path)
      .filter { FileManager.default.fileExists(atPath: root.appending(path: "Packages/\($0)/Package.swift").path) }
      .sorted()
  }

  /// The paths, from the root, of tracked files and of untracked files that git does not ignore.
  static func files() async throws -> [String] {
    try await run(
      "git", "-C", root.path, "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    .split(separator: "\0").map(String.init)
    .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
  }

  /// The text of a file, or `nil` if it cannot be read as UTF-8.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The manifests of all packages, by name.
  ///
  /// They are evaluated once for all tests, since each takes half a second.
  static let packageManifests = Task {
    var manifests: [String: Manifest] = [:]
    for package in try packages() { manifests[package] = try await manifest(of: "Packages/\(package)") }
    return manifests
  }

  /// Evaluates a manifest.
  ///
  /// - Parameter package: The path of the package's folder from the root.
  static func manifest(of package: String) async throws -> Manifest {
    // The `swift test` that runs this test locks the root's build folder.
    let dump = try await run(
      "swift", "package", "--package-path", root.appending(path: package).path,
      "--scratch-path", root.appending(path: ".build/manifests").path, "dump-package")
    return try Manifest(dump: Data(dump.utf8))
  }

  /// A command that failed, with its standard error.
  struct CommandFailed: Error, CustomStringConvertible {
    var command: [String]
    var status: Int32
    var errors: String
    var description: String { "`\(command.joined(separator: " "))` exited with \(status): \(errors)" }
  }

  /// Returns the standard output of a command.
  ///
  /// The wait blocks no thread of Swift's cooperative pool, because other tests of the process need those threads.
  private static func run(_ command: String...) async throws -> String {
    let outcome = try await ChildProcess("/usr/bin/env", command, environment: ProcessInfo.processInfo.environment)
      .outcome()
    guard outcome.status == 0 else {
      throw CommandFailed(command: command, status: outcome.status, errors: outcome.errors)
    }
    return outcome.output
  }
}
