package import Foundation

/// Reads and replaces files, with errors that have a next step.
package enum ReferenceFiles {
  /// Returns the bytes of a file; `nil` if it is absent.
  package static func read(_ path: String) throws(SnapshotError) -> Data? {
    if let data = FileManager.default.contents(atPath: path) { return data }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    let code = errno
    if file < 0, [ENOENT, ENOTDIR].contains(code) {
      try checkLink(path)
      return nil
    }
    let reason = file < 0 ? String(cString: strerror(code)) : "it is a directory or cannot be read"
    if file >= 0 { close(file) }
    throw SnapshotError("Cannot read \(path): \(reason). Check that it is a file, and its permissions.")
  }

  /// - Throws: ``SnapshotError`` if a path is a symbolic link that leads to no file.
  private static func checkLink(_ path: String) throws(SnapshotError) {
    guard access(path, F_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return }
    throw SnapshotError(
      "Cannot follow the symbolic link \(path) to \(target): \(reason). Restore that file, or delete the link.")
  }

  /// Replaces the bytes of a file atomically, and creates its folder.
  ///
  /// The bytes go to a new file beside it, which then gets its name. Concurrent readers see the old or the new bytes.
  /// An existing file keeps its permissions. A symbolic link stays, and its destination is replaced.
  ///
  /// - Throws: ``SnapshotError`` if the file is read-only or cannot be written. The old file is unchanged then.
  package static func replace(_ path: String, with data: Data) throws(SnapshotError) {
    try checkLink(path)
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    let path = link == nil ? path : URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let permissions = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    if let permissions, permissions & 0o222 == 0 {
      throw SnapshotError("Cannot write \(path): the file is read-only. Make it writable: chmod u+w '\(path)'")
    }
    do {
      try makeFolder(folder(of: path))
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
      if let permissions { chmod(path, mode_t(permissions)) }
    } catch {
      throw SnapshotError(
        "Cannot write \(path): \(reason(for: error)). Check the permissions of its folder and the space on the disk.")
    }
  }

  package static func json(_ value: some Encodable) throws(SnapshotError) -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch { throw SnapshotError("Cannot write \(type(of: value)): \(error)") }
  }

  /// Runs a closure while no other process and no other thread is in one for the same folder.
  package static func withLock<Result>(
    _ folder: String, _ body: () throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> Result {
    try? makeFolder(folder)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  private static func makeFolder(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Returns the name of another file in the folder that differs only in case.
  package static func nameInOtherCase(of path: String) -> String? {
    let name = (path as NSString).lastPathComponent
    return names(in: folder(of: path)).first { $0 != name && $0.lowercased() == name.lowercased() }
  }

  package static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func reason(for error: any Error) -> String {
    let posix = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
    return posix.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
  }
}

/// A failure, with the next step.
package struct SnapshotError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

package enum Fingerprint {
  /// Returns a short text that differs for different bytes: their number, and their FNV-1a hash of 64 bits.
  package static func of(_ bytes: some Collection<UInt8>) -> String {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\(bytes.count)-\(String(hash, radix: 36))"
  }
}

package enum ProjectRoot {
  /// Returns the root of the project that contains a folder.
  ///
  /// It is the outermost folder with a `Package.swift` in the git repository, or else the repository, or else the
  /// nearest folder with a `Package.swift`, or else the folder itself.
  package static func containing(_ folder: String) -> String {
    let (folders, repository) = packages(around: folder)
    return (repository == nil ? folders.first : folders.last) ?? repository ?? folder
  }

  /// Returns the nearest folder with a `Package.swift`, or else the root of the git repository, or else the folder
  /// itself.
  package static func package(containing folder: String) -> String {
    let packages = packages(around: folder)
    return packages.folders.first ?? packages.repository ?? folder
  }

  /// Returns a folder relative to its git repository, with a slash at the end; empty outside of one.
  package static func pathInRepository(_ folder: String) -> String {
    packages(around: folder).repository.flatMap { relative("\(folder)/", to: $0) } ?? ""
  }

  /// Paths are compared by their bytes, as the file system does.
  package static func relative(_ path: String, to root: String) -> String? {
    let root = "\(root)/".utf8
    return path.utf8.starts(with: root) ? String(decoding: path.utf8.dropFirst(root.count), as: UTF8.self) : nil
  }

  /// The folders with a `Package.swift` from the nearest to the outermost in the repository, and the repository.
  private static func packages(around folder: String) -> (folders: [String], repository: String?) {
    var (current, folders) = (folder, [String]())
    while !current.isEmpty, current != "." {
      if access(current + "/Package.swift", F_OK) == 0 { folders.append(current) }
      if access(current + "/.git", F_OK) == 0 { return (folders, current) }
      guard current != "/" else { break }
      current = ReferenceFiles.folder(of: current)
    }
    return (folders, nil)
  }
}

/// Returns a path relative to the nearest package, for messages.
package func pathInPackage(_ path: String) -> String {
  let folder = ReferenceFiles.folder(of: path)
  let package = ProjectRoot.package(containing: folder)
  return package == folder ? path : ProjectRoot.relative(path, to: package) ?? path
}
