internal import Foundation

/// A folder for one test, which is removed with its contents when its last reference is released.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let child = try ChildProcess(path, ["--output", folder.file("report.html")], environment: ["TMPDIR": folder.path])
/// _ = await child.outcome()
/// #expect(folder.contents == ["report.html"])
/// ```
public final class TemporaryFolder: Sendable {
  /// The unique path of the folder.
  public let path: String

  /// Creates an empty folder in the system's temporary folder.
  ///
  /// - Throws: ``TemporaryFolderError`` with the path and the system's error.
  public convenience init() throws(TemporaryFolderError) {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  init(in parent: String) throws(TemporaryFolderError) {
    path = "\(parent)/test-\(UUID())"
    // Foundation's error does not contain the system's error.
    guard mkdir(path, 0o777) == 0 else {
      throw TemporaryFolderError(
        description: "Cannot create the folder \(path): \(String(cString: strerror(errno))). "
          + "Set TMPDIR to an existing, writable folder.")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The sorted names of the folder's entries.
  public var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The path of a file in the folder, which may not exist.
  ///
  /// - Parameter name: The file's name, or a path below the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// The error of a temporary folder that cannot be created.
public struct TemporaryFolderError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}
