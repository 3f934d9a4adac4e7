internal import Foundation

/// A folder for one test, which is removed with all that is in it when nobody holds this any more.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let child = try ChildProcess(path, ["--output", folder.file("report.html")], environment: ["TMPDIR": folder.path])
/// _ = await child.outcome()
/// #expect(folder.contents == ["report.html"])
/// ```
public final class TemporaryFolder: Sendable {
  /// Where it is; its name is no other's.
  public let path: String

  /// Makes an empty folder in the system's folder of temporary files.
  ///
  /// - Throws: ``TemporaryFolderError`` that says where it could not be made, and why.
  public convenience init() throws(TemporaryFolderError) {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  init(in parent: String) throws(TemporaryFolderError) {
    path = "\(parent)/test-\(UUID())"
    // Foundation's error does not say what the system did.
    guard mkdir(path, 0o777) == 0 else {
      throw TemporaryFolderError(
        description: "Cannot create the folder \(path): \(String(cString: strerror(errno))). "
          + "Set TMPDIR to an existing, writable folder.")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of what is in it, in order.
  public var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The path of a file in it, whether there is one or not.
  ///
  /// - Parameter name: The file's name, or a path below the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Why there is no folder for a test: what was tried, what came back, and the way out.
public struct TemporaryFolderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, and what to do.
  public let description: String
}
