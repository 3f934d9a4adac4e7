internal import Foundation

package enum ProjectRoot {
  /// Returns the root of the project that contains a folder.
  ///
  /// It is the outermost folder with a `Package.swift` in the git repository, or else the repository, or else the nearest folder
  /// with a `Package.swift`, or else the folder itself.
  package static func containing(_ folder: String) -> String {
    var current = folder
    var packages: [String] = []
    while !current.isEmpty, current != "." {
      if access(current + "/Package.swift", F_OK) == 0 { packages.append(current) }
      if access(current + "/.git", F_OK) == 0 { return packages.last ?? current }
      guard current != "/" else { break }
      current = ReferenceFiles.folder(of: current)
    }
    return packages.first ?? folder
  }

  /// Paths are compared by their bytes, as the file system does.
  package static func relative(_ path: String, to root: String) -> String? {
    let root = "\(root)/".utf8
    return path.utf8.starts(with: root) ? String(decoding: path.utf8.dropFirst(root.count), as: UTF8.self) : nil
  }
}
