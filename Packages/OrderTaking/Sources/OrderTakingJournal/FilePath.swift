internal import Foundation

/// Functions on the names of files.
enum FilePath {
  /// Returns the path of the file behind symbolic links, even if it does not exist.
  static func following(_ path: String) -> String {
    var path = path
    // The limit of the system.
    for _ in 0..<40 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = target.hasPrefix("/") ? target : inRealFolder(path, target)
    }
    return path
  }

  /// Returns the same path for all names of a file's folder.
  ///
  /// - Parameter name: Another name in the folder of the file.
  static func inRealFolder(_ path: String, _ name: String? = nil) -> String {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    let real = realpath(folder, nil)
    defer { free(real) }
    return (real.map { String(cString: $0) } ?? folder) + "/" + (name ?? url.lastPathComponent)
  }
}
