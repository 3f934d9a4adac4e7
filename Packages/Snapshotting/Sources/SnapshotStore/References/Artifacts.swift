package import Foundation

/// The files are in the folder `SNAPSHOT_ARTIFACTS`, or in a private folder of the user below the temporary directory.
///
/// Each test file has a folder there.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class Artifacts: @unchecked Sendable {
  package static let shared = Artifacts(environment: ProcessInfo.processInfo.environment)

  private let lock = NSLock()
  private let root: String
  private let isPrivate: Bool
  /// The names in the folder of a test file, by the folder of its references.
  ///
  /// Both are bytes, as in the file system: the two Unicode forms of é are two names.
  private var names: [[UInt8]: Set<[UInt8]>] = [:]
  /// The folders of references that have a plain folder name here.
  private var owners: [String: String] = [:]

  package init(environment: [String: String], temporaryDirectory: String = NSTemporaryDirectory()) {
    if let path = environment["SNAPSHOT_ARTIFACTS"], !path.isEmpty {
      (root, isPrivate) = (Self.withoutSlash(path), false)
    } else {
      (root, isPrivate) = ("\(Self.withoutSlash(temporaryDirectory))/snapshot-artifacts-\(geteuid())", true)
    }
  }

  /// - Throws: ``SnapshotError`` if the folder is not safe to write to, or if a write fails.
  package func write(
    _ snapshot: Data?, _ attachments: [(name: String, data: Data)], for reference: String
  ) throws(SnapshotError) -> [String] {
    let (folder, stem) = place(of: reference)
    if isPrivate { try makePrivate(root) }
    try makeDirectory(folder)
    removeAll(of: stem, in: reference)
    var files = snapshot.map { [(stem, $0)] } ?? []
    for attachment in attachments {
      let name = "\(stem).\(Self.sanitized(attachment.name))"
      let number = files.count { $0.0 == name || $0.0.hasPrefix(name + "-") }
      files.append((number == 0 ? name : "\(name)-\(number + 1)", attachment.data))
    }
    for (name, data) in files { try ReferenceFiles.replace("\(folder)/\(name)", with: data, asReference: false) }
    lock.withLock {
      names[Array(ReferenceFiles.folder(of: reference).utf8), default: []].formUnion(files.map { Array($0.0.utf8) })
    }
    return files.map { "\(folder)/\($0.0)" }
  }

  /// The folder of a test file is listed once in a process, so a passing assertion costs no system call here.
  package func removeStale(for reference: String, in references: String) {
    let isEmpty = lock.withLock {
      if let known = names[Array(references.utf8)] { return known.isEmpty }
      let found = Set(ReferenceFiles.names(in: lockedFolder(of: references)).map { Array($0.utf8) })
      names[Array(references.utf8)] = found
      return found.isEmpty
    }
    guard !isEmpty else { return }
    let (folder, stem) = place(of: reference)
    removeAll(of: stem, in: reference)
    rmdir(folder)  // only an empty folder is removed
  }

  package func folder(for references: String) -> String { lock.withLock { lockedFolder(of: references) } }

  private func removeAll(of stem: String, in reference: String) {
    let references = ReferenceFiles.folder(of: reference)
    let (key, stemBytes) = (Array(references.utf8), Array(stem.utf8))
    let stale = lock.withLock {
      let stale = (names[key] ?? []).filter { $0 == stemBytes || Self.isAttachment($0, of: stem, in: references) }
      names[key]?.subtract(stale)
      return stale
    }
    let folder = folder(for: references)
    for name in stale { unlink("\(folder)/\(String(decoding: name, as: UTF8.self))") }
  }

  /// Whether a name begins with that of a reference, and not with the longer name of another one: `a.txt` is not of `a`.
  private static func isAttachment(_ name: [UInt8], of stem: String, in references: String) -> Bool {
    guard name.starts(with: "\(stem).".utf8) else { return false }
    var other = stem
    return name.dropFirst(stem.utf8.count + 1).split(separator: UInt8(ascii: ".")).allSatisfy { part in
      other += ".\(String(decoding: part, as: UTF8.self))"
      return access("\(references)/\(other)", F_OK) != 0
    }
  }

  private func place(of reference: String) -> (folder: String, stem: String) {
    let references = ReferenceFiles.folder(of: reference)
    let name = String(decoding: reference.utf8.dropFirst(references.utf8.count + 1), as: UTF8.self)
    // Attachments add to the name.
    let stem =
      name.utf8.count <= 160
      ? name : String(name.unicodeScalars.prefix(40)) + "~~" + Fingerprint.of(name)
    return (folder(for: references), stem)
  }

  /// Test files of one name have different folders.
  private func lockedFolder(of references: String) -> String {
    let name = references.split(separator: "/").last.map(String.init) ?? "references"
    let qualified = "\(root)/\(name)-\(Fingerprint.of(references))"
    if isPrivate { return qualified }
    // The folder of the references may be that of the artifacts, which must not replace them.
    let plain = "\(root)/\(name)"
    if plain == references { return "\(plain)/failed" }
    let owner = owners[plain] ?? references
    owners[plain] = owner
    return owner == references ? plain : qualified
  }

  /// Creates a folder that only its owner can use, or checks that it is one.
  private func makePrivate(_ path: String) throws(SnapshotError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, lstat(path, &status) == 0 else {
      throw SnapshotError(
        "Cannot create \(path): \(String(cString: strerror(code))). Set SNAPSHOT_ARTIFACTS to a writable folder.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw SnapshotError(
        "Cannot write to \(path): it is not a private directory of this user. Remove it, or set SNAPSHOT_ARTIFACTS to another "
          + "folder.")
    }
  }

  /// Creates a folder, and refuses a symbolic link with its name.
  private func makeDirectory(_ path: String) throws(SnapshotError) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw SnapshotError("Cannot write to \(path): it is a symbolic link. Remove it.")
    }
    try ReferenceFiles.makeDirectory(path)
  }

  /// A name without characters that have a meaning in paths, of at most 80 bytes.
  package static func sanitized(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar -> Character in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-@".unicodeScalars.contains(scalar))
        ? Character(scalar) : "-"
    }
    let text = String(plain.drop { $0 == "." })
    return text.isEmpty ? "attachment" : String(text.suffix(80))
  }

  private static func withoutSlash(_ path: String) -> String {
    path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
  }
}
