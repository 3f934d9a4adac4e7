internal import Foundation

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

  static func inRealFolder(_ path: String, _ name: String? = nil) -> String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
    // The system resolves `..` after the link before it. `URL` would resolve it as text.
    let real = realpath(folder, nil)
    defer { free(real) }
    let known = real.map { String(cString: $0) } ?? folder
    return known + (known.hasSuffix("/") ? "" : "/") + (name ?? Self.name(of: path))
  }

  static func name(of path: String) -> String {
    String(decoding: path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }
}
