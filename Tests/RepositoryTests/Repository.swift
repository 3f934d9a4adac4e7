import Foundation

enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func packages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Packages").path)
      .filter { text(of: "Packages/\($0)/Package.swift") != nil }
      .sorted()
  }

  /// The paths, from the root, of tracked files and of untracked files that git does not ignore.
  static func files() throws -> [String] {
    let listed = try output(
      of: "git", "-C", root.path, "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
      "--exclude-standard")
    return String(decoding: listed, as: UTF8.self).split(separator: "\0").map(String.init)
      .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
  }

  /// The text of a file, or `nil` if it cannot be read as UTF-8.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static func manifest(of folder: String) throws -> Manifest {
    // The `swift test` that runs this test locks the root's build folder.
    let dump = try output(
      of: "swift", "package", "--package-path", root.appending(path: folder).path,
      "--scratch-path", root.appending(path: ".build/manifests").path, "dump-package")
    return try JSONDecoder().decode(Manifest.self, from: dump)
  }

  private static func output(of command: String...) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailed(command: command) }
    return data
  }

  struct CommandFailed: Error {
    var command: [String]
  }
}
