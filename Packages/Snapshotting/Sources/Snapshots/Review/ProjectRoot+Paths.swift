internal import Foundation
internal import SnapshotStore

extension ProjectRoot {
  static func isProject(_ root: String) -> Bool {
    ["Package.swift", ".git", ".build/pending-snapshots"].contains { access("\(root)/\($0)", F_OK) == 0 }
  }

  /// Whether a file is in a root, also after symbolic links are resolved.
  static func contains(_ path: String, root: String) -> Bool {
    guard let root = realPath(root), let path = realPath(path) else { return false }
    return path.hasPrefix(root + "/")
  }

  /// - Throws: ``SnapshotError`` if the path is not relative, leaves the root, also through a symbolic link, or is in a
  ///   folder of git or of the pending snapshots.
  static func path(_ relative: String, in root: String) throws(SnapshotError) -> String {
    let components = relative.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe =
      !relative.contains("\0")
      && components.allSatisfy { !["", ".", "..", ".git", "pending-snapshots"].contains($0.lowercased()) }
    let path = "\(root)/\(relative)"
    guard isSafe, let realRoot = realPath(root), let real = realPath(path), real.hasPrefix(realRoot + "/") else {
      throw SnapshotError(
        """
        Cannot use the path \(relative.debugDescription): it is outside of \(root), or in a folder .git or pending-snapshots. \
        Reject the snapshot, or rename the folder.
        """)
    }
    return path
  }

  /// Returns the path without symbolic links of a file, or of its nearest existing folder with the rest of the path.
  private static func realPath(_ path: String) -> String? {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var status = stat()
    // A dangling link could be created later, with another destination.
    guard errno == ENOENT, lstat(path, &status) != 0, path.contains("/"), path != "/" else { return nil }
    let parent = realPath(ReferenceFiles.folder(of: path))
    return parent.map { $0 + "/" + (path.split(separator: "/").last ?? "") }
  }
}
