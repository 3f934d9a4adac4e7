import Foundation

/// A folder that is gone when it is let go of.
final class Folder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "order-server-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> String { path + "/" + name }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
