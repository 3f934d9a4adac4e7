import Foundation

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
  static func files() throws -> [String] {
    try run("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
      .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
  }

  /// The text of a file, or `nil` when it is none.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Evaluates a manifest.
  ///
  /// - Parameter package: The folder of the package, from the root.
  static func manifest(of package: String) throws -> Manifest {
    // A build folder of its own: the one at the root is locked by the `swift test` that runs this.
    try Manifest(
      dump: run(
        "swift", "package", "--package-path", root.appending(path: package).path,
        "--scratch-path", root.appending(path: ".build/manifests").path, "dump-package"))
  }

  /// A command that failed, with what it said.
  struct CommandFailed: Error, CustomStringConvertible {
    var command: [String]
    var status: Int32
    var said: String
    var description: String { "`\(command.joined(separator: " "))` ended with \(status): \(said)" }
  }

  private static func run(_ command: String...) throws -> Data {
    let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: errors) }
    // Not `Process`: on Linux its notice that a child has ended can be lost while many descriptors are open.
    let line = (["env"] + command).map { "'\($0)'" }.joined(separator: " ")
    guard let stream = popen("cd '\(root.path)' && \(line) </dev/null 2>'\(errors.path)'", "r") else {
      throw CommandFailed(command: command, status: errno, said: "it could not be started")
    }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { data += chunk[..<count] }
    let status = pclose(stream)
    guard status == 0 else {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      throw CommandFailed(command: command, status: status, said: said)
    }
    return data
  }
}
