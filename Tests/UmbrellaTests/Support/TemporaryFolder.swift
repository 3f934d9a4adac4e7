import Foundation

/// A folder for one test, which is gone when it is let go of.
final class TemporaryFolder: Sendable {
  private let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "umbrella-tests-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
