internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads, compares and replaces reference files.
enum ReferenceFiles {
  /// What a file is beside the bytes that it should have.
  enum Comparison {
    case equal
    case absent
    case different(Data)
  }

  /// The most bytes of a file that are read when they are not the expected ones.
  static let readLimit = 256 << 20

  /// Compares a file with bytes: open, size, read, close.
  ///
  /// - Throws: ``AssertionError`` when there is something there that is no reference.
  static func compare(_ path: String, with data: Data) throws(AssertionError) -> Comparison {
    // A pipe is found to be none without anybody who writes to it.
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
      throw AssertionError(
        "Cannot read the reference \(path): it is not a regular file. Remove it, and record the snapshot.")
    }
    let size = Int(status.st_size)
    if size == data.count {
      if try isEqual(file, path, data, size) { return .equal }
      guard lseek(file, 0, SEEK_SET) == 0 else { throw problem("read", path, errno) }
    }
    guard size <= readLimit else {
      throw AssertionError(
        """
        Cannot show the difference: the reference \(path) has \(size) bytes, and the limit is \(readLimit). The new \
        snapshot has \(data.count) bytes. If it is correct, remove the file and record it again.
        """)
    }
    return .different(try contents(of: file, path, size))
  }

  private static func isEqual(_ file: Int32, _ path: String, _ data: Data, _ size: Int) throws(AssertionError) -> Bool {
    let chunk = min(max(size, 1), 64 << 10)
    let outcome: Result<Bool, AssertionError> = withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 16) {
      buffer in
      guard let start = buffer.baseAddress else { return .success(size == 0) }
      return data.withUnsafeBytes { expected in
        var offset = 0
        while offset < size {
          let count = read(file, start, min(chunk, size - offset))
          if count < 0 && errno == EINTR { continue }
          guard count >= 0 else { return .failure(problem("read", path, errno)) }
          guard count > 0, let other = expected.baseAddress, memcmp(start, other + offset, count) == 0 else {
            return .success(false)
          }
          offset += count
        }
        return .success(true)
      }
    }
    return try outcome.get()
  }

  private static func contents(of file: Int32, _ path: String, _ size: Int) throws(AssertionError) -> Data {
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

  /// Puts bytes in a file's place, all of them or none, and makes the folder if need be.
  ///
  /// The bytes go to a file of another name beside it, which then takes its name. Whoever reads meanwhile, and whoever
  /// starts after a crash, has the old bytes or the new ones. A file that is there keeps its permissions, and one that a
  /// symbolic link leads to is replaced where it is.
  ///
  /// - Throws: ``AssertionError`` with what the system said; then the old file is as it was.
  static func replace(_ path: String, with data: Data) throws(AssertionError) {
    let path = destination(of: path)
    let folder = folder(of: path)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw AssertionError(
        "Cannot create the directory \(folder): \(reason(for: error)). Check its permissions and the disk.")
    }
    let temporary = "\(folder)/.\(UInt64.random(in: .min ... .max)).\(getpid()).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw problem("write", path, errno) }
    var status = stat()
    if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o777) }
    var code = writeAll(data, to: file)
    if code == 0 && fsync(file) != 0 { code = errno }
    if close(file) != 0 && code == 0 { code = errno }
    if code == 0 && rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw problem("write", path, code)
    }
  }

  /// Where symbolic links lead, if there are any.
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

  /// The names in a folder; none when it is not there.
  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func problem(_ verb: String, _ path: String, _ code: Int32) -> AssertionError {
    AssertionError(
      "Cannot \(verb) \(path): \(String(cString: strerror(code))). Check its permissions and the disk.")
  }

  private static func reason(for error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(underlying.code)))
    }
    return error.localizedDescription
  }
}

/// A path as seen from the package that it is in, or as it is.
func pathInPackage(_ path: String) -> String {
  var folder = ReferenceFiles.folder(of: path)
  while !folder.isEmpty, folder != ".", folder != "/" {
    if access(folder + "/Package.swift", F_OK) == 0 { return String(path.dropFirst(folder.count + 1)) }
    folder = ReferenceFiles.folder(of: folder)
  }
  return path
}
