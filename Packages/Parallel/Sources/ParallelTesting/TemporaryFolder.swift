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
  /// - Throws: What the file system says when it cannot be made.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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
