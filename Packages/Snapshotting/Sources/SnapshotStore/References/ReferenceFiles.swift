package import Foundation

package enum ReferenceFiles {
  package enum Comparison {
    case equal
    case absent
    case different(Data)
  }

  /// The maximum size of a file that is read although its size differs.
  static let readLimit = 256 << 20

  /// Compares a file with bytes: open, size, read, close.
  ///
  /// - Throws: ``SnapshotError`` if the file cannot be read or is not a regular file.
  package static func compare(_ path: String, with data: Data) throws(SnapshotError) -> Comparison {
    // Non-blocking, because a pipe without a writer would block.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return .absent }
      throw problem("read", path, code)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw problem("read", path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SnapshotError(
        "Cannot read the reference \(path): it is not a regular file. Remove it, and record the snapshot.")
    }
    let size = Int(status.st_size)
    guard size == data.count || size <= readLimit else {
      throw SnapshotError(
        """
        Cannot show the difference: the reference \(path) has \(size) bytes, and the limit is \(readLimit). The new \
        snapshot has \(data.count) bytes. If it is correct, remove the file and record it again.
        """)
    }
    let found = try contents(of: file, path, size)
    return found == data ? .equal : .different(found)
  }

  private static func contents(of file: Int32, _ path: String, _ size: Int) throws(SnapshotError) -> Data {
    var data = Data(count: size)
    var offset = 0
    while offset < size {
      let count = data.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { read(file, $0 + offset, size - offset) } ?? 0
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw problem("read", path, errno) }
      if count == 0 { break }
      offset += count
    }
    return data.prefix(offset)
  }

  /// Records a reference if it is still what the assertion compared with.
  ///
  /// Processes that record into one folder wait for each other.
  ///
  /// - Parameter old: The bytes that the assertion read; `nil` if the file was absent.
  /// - Throws: ``SnapshotError`` if another process recorded a different snapshot in the meantime.
  package static func record(_ path: String, with data: Data, over old: Data?) throws(SnapshotError) {
    let folder = folder(of: path)
    try makeDirectory(folder)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    switch try compare(path, with: data) {
    case .equal where old != nil: break  // `all` also writes what is equal, and reports a file that cannot be written
    case .equal: return
    case .absent where old == nil: break
    case .different(let current) where current == old: break
    default:
      throw SnapshotError(
        """
        Cannot record \(path): another process changed it during this assertion, with a different snapshot. Make the \
        snapshot deterministic, and run the test again.
        """)
    }
    try replace(path, with: data)
  }

  /// Replaces the bytes of a file atomically, and creates its folder.
  ///
  /// The bytes go to another file beside it, which then gets its name. Concurrent readers and a crash see the old or
  /// the new bytes. An existing file keeps its owner and its permissions. If the process may not create a file of that
  /// owner, it writes into the existing file, which a crash can interrupt.
  ///
  /// - Parameter isReference: Whether to follow a symbolic link, and to refuse a file that is read-only.
  /// - Throws: ``SnapshotError`` with the system's message. The old file is unchanged then.
  package static func replace(_ path: String, with data: Data, asReference isReference: Bool = true)
    throws(SnapshotError)
  {
    let path = isReference ? destination(of: path) : path
    let folder = folder(of: path)
    try makeDirectory(folder)
    var old = stat()
    let isReplacing = isReference && stat(path, &old) == 0
    if isReplacing, old.st_mode & 0o222 == 0 {
      throw SnapshotError(
        """
        Cannot write \(path): \(String(cString: strerror(EACCES))), because the file is read-only. Make it writable with \
        `chmod u+w`, and try again.
        """)
    }
    if isReplacing, access(path, W_OK) != 0 { throw problem("write", path, errno) }
    let temporary = TemporaryFiles.temporaryPath(in: folder)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw problem("write", path, errno) }
    var code: Int32 = 0
    if isReplacing {
      var new = stat()
      if fstat(file, &new) == 0, new.st_uid != old.st_uid || new.st_gid != old.st_gid,
        fchown(file, old.st_uid, old.st_gid) != 0
      {
        close(file)
        unlink(temporary)
        return try overwrite(path, with: data)
      }
      if fchmod(file, old.st_mode & 0o7777) != 0 { code = errno }
    }
    if code == 0 { code = writeAll(data, to: file) }
    if code == 0 && fsync(file) != 0 { code = errno }
    if close(file) != 0 && code == 0 { code = errno }
    if code == 0 && rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw problem("write", path, code)
    }
  }

  private static func overwrite(_ path: String, with data: Data) throws(SnapshotError) {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw problem("write", path, errno) }
    var code = writeAll(data, to: file)
    if code == 0 && ftruncate(file, off_t(data.count)) != 0 { code = errno }
    if code == 0 && fsync(file) != 0 { code = errno }
    if close(file) != 0 && code == 0 { code = errno }
    guard code == 0 else { throw problem("write", path, code) }
  }

  package static func makeDirectory(_ folder: String) throws(SnapshotError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      if let file = file(in: folder) {
        throw SnapshotError(
          "Cannot create the directory \(folder): \(file) is not a folder. Use another folder, or rename the file.")
      }
      throw SnapshotError(
        "Cannot create the directory \(folder): \(reason(for: error)). Check its permissions and the disk.")
    }
  }

  /// Returns the part of a path that exists and is not a folder; `nil` if each existing part is a folder.
  private static func file(in path: String) -> String? {
    var (current, status) = (path, stat())
    while !["", ".", "/"].contains(current) {
      if stat(current, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? nil : current }
      current = folder(of: current)
    }
    return nil
  }

  static func destination(of path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let end = realpath(path, nil) else {
      return path
    }
    defer { free(end) }
    return String(cString: end)
  }

  private static func writeAll(_ data: Data, to file: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count, let start = bytes.baseAddress {
        let count = write(file, start + offset, bytes.count - offset)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        offset += count
      }
      return 0
    }
  }

  package static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func problem(_ verb: String, _ path: String, _ code: Int32) -> SnapshotError {
    let nextStep =
      switch code {
      case EACCES, EPERM: "Check its owner and its permissions, and those of its folder."
      case ENOSPC, EDQUOT: "Free disk space, and try again."
      default: "Check its permissions and the disk."
      }
    return SnapshotError("Cannot \(verb) \(path): \(String(cString: strerror(code))). \(nextStep)")
  }

  static func reason(for error: any Error) -> String {
    if let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code {
      return String(cString: strerror(code.rawValue))
    }
    return error.localizedDescription
  }
}

package func pathInPackage(_ path: String) -> String {
  var folder = ReferenceFiles.folder(of: path)
  while !folder.isEmpty, folder != ".", folder != "/" {
    if access(folder + "/Package.swift", F_OK) == 0 { return String(path.dropFirst(folder.count + 1)) }
    folder = ReferenceFiles.folder(of: folder)
  }
  return path
}
