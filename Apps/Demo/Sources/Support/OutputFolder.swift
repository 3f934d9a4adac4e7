internal import Foundation

/// A folder for output files, created if missing.
struct OutputFolder {
  let path: String

  /// Checks in advance whether files can be written.
  ///
  /// - Throws: `OutputFile.Failure` when the path or a parent is not a writable folder.
  func check() throws(OutputFile.Failure) {
    let existing = missing.last.map(Self.parent(of:)) ?? path
    var status = stat()
    guard stat(existing, &status) == 0 else { throw OutputFile.Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputFile.Failure("\(existing) is not a folder") }
    guard access(existing, W_OK | X_OK) == 0 else { throw OutputFile.Failure(code: errno) }
  }

  /// Creates the folder and its missing parents.
  ///
  /// - Returns: The created folders, innermost first, for ``remove(_:)``.
  func make() throws(OutputFile.Failure) -> [String] {
    let missing = missing
    for folder in missing.reversed() where mkdir(folder, 0o777) != 0 && errno != EEXIST {
      let code = errno
      Self.remove(missing)
      throw OutputFile.Failure(code: code)
    }
    try check()
    return missing
  }

  /// Removes the folders that are empty.
  static func remove(_ folders: [String]) {
    for folder in folders { rmdir(folder) }
  }

  /// The folder and its parents that do not exist, innermost first.
  private var missing: [String] {
    var missing: [String] = []
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    while folder != "/", folder != ".", access(folder, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) {
      missing.append(folder)
      folder = Self.parent(of: folder)
    }
    return missing
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    var parent = path[..<slash]
    while parent.hasSuffix("/") { parent.removeLast() }
    return parent.isEmpty ? "/" : String(parent)
  }
}
