internal import Foundation

/// A folder that a command writes files to, and makes when it is not there.
struct OutputFolder {
  let path: String

  /// Looks whether there is any use in writing there later on.
  ///
  /// - Throws: `OutputFile.Failure` when something that is no folder is in the way, or nothing can be written there.
  func check() throws(OutputFile.Failure) {
    let existing = missing.last.map(Self.parent(of:)) ?? path
    var status = stat()
    guard stat(existing, &status) == 0 else { throw OutputFile.Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputFile.Failure("\(existing) is not a folder") }
    guard access(existing, W_OK | X_OK) == 0 else { throw OutputFile.Failure(code: errno) }
  }

  /// Makes the folder, and those that it is in.
  ///
  /// - Returns: What was made, innermost first, for ``remove(_:)``.
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

  /// Removes folders in which there is nothing.
  static func remove(_ folders: [String]) {
    for folder in folders { rmdir(folder) }
  }

  /// The folder and those that it is in, as far as they are not there, innermost first.
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

  /// The folder that a file or a folder is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    var parent = path[..<slash]
    while parent.hasSuffix("/") { parent.removeLast() }
    return parent.isEmpty ? "/" : String(parent)
  }
}
