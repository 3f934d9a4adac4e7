internal import Foundation

/// Writes the output of a command to a file.
enum OutputFile {
  /// The reason why nothing was written.
  struct Failure: Error {
    let reason: String
    /// Whether the disk or the quota of the user is full.
    let isFullDisk: Bool

    init(_ reason: String) { (self.reason, isFullDisk) = (reason, false) }

    init(code: Int32) {
      reason = String(cString: strerror(code))
      isFullDisk = [ENOSPC, EDQUOT].contains(code)
    }

    /// The error message.
    ///
    /// - Parameter path: The path of the file; `nil` for standard output.
    func message(to path: String?) -> String {
      path.map { "Cannot write \($0): \(reason). Give another file with -o." }
        ?? "Cannot write to standard output: \(reason). Give a file with -o."
    }
  }

  /// Checks in advance whether the output can be written.
  ///
  /// - Parameter path: The path of the file; `nil` for standard output.
  static func check(_ path: String?) throws(Failure) {
    guard let path else {
      let flags = fcntl(STDOUT_FILENO, F_GETFL)
      guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw Failure(code: EBADF) }
      return
    }
    _ = try place(at: path)
  }

  /// Replaces the content of a file atomically.
  ///
  /// Follows symbolic links. A regular file is replaced by a new file and keeps its permissions. A device or a pipe is written
  /// directly.
  ///
  /// - Throws: ``Failure``; a regular file is then unchanged.
  static func write(_ data: Data, to path: String) throws(Failure) {
    switch try place(at: path) {
    case .file(let path, let mode): try replace(path, with: data, mode: mode)
    case .device(let path):
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(code: errno) }
      let code = writeAll(data, to: file)
      guard close(file) == 0, code == 0 else { throw Failure(code: code == 0 ? errno : code) }
    }
  }

  private enum Place {
    /// A regular file with its mode, or `nil` if the file does not exist.
    case file(String, mode: mode_t?)
    case device(String)
  }

  private static func place(at path: String) throws(Failure) -> Place {
    let path = try destination(of: path)
    var (status, mode) = (stat(), mode_t?.none)
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure("it is a folder") }
      guard access(path, W_OK) == 0 else { throw Failure(code: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { return .device(path) }
      mode = status.st_mode & 0o7777
    } else if errno != ENOENT {
      throw Failure(code: errno)
    }
    // The new file is created in the same folder.
    guard access(OutputFolder.parent(of: path), W_OK | X_OK) == 0 else { throw Failure(code: errno) }
    return .file(path, mode: mode)
  }

  /// The path that symbolic links resolve to, whether a file exists or not.
  private static func destination(of path: String) throws(Failure) -> String {
    var path = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
      let isAbsolute = next.hasPrefix("/")
      path = isAbsolute ? next : OutputFolder.parent(of: path) + "/" + next
    }
    throw Failure(code: ELOOP)
  }

  private static func replace(_ path: String, with data: Data, mode: mode_t?) throws(Failure) {
    let temporary = OutputFolder.parent(of: path) + "/.\(UInt64.random(in: .min ... .max)).\(getpid()).tmp"
    // Never more readable than the file that it replaces.
    _ = try replace(path, with: data, through: temporary, mode: mode == nil ? 0o666 : 0o600) { file in
      mode.map { fchmod(file, $0) == 0 } ?? true
    }
  }

  /// Writes a new file, and renames it to the path.
  ///
  /// - Parameters:
  ///   - path: The path; a symbolic link is replaced.
  ///   - data: The content.
  ///   - temporary: The path of the new file, in the same folder.
  ///   - mode: The permissions of the new file.
  ///   - prepare: Called with the descriptor of the complete file before the rename; returns whether it succeeded.
  /// - Returns: The new file, open.
  /// - Throws: ``Failure`` with the error of the system; the file at the path is then unchanged.
  static func replace(
    _ path: String, with data: Data, through temporary: String, mode: mode_t, prepare: (Int32) -> Bool
  ) throws(Failure) -> FileHandle {
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw Failure(code: errno) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var code = writeAll(data, to: file)
    if code == 0, !prepare(file) { code = errno }
    // Otherwise a crash could keep the new name but lose the content.
    if code == 0, fsync(file) != 0 { code = errno }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw Failure(code: code)
    }
    return handle
  }

  private static func writeAll(_ data: Data, to file: Int32) -> Int32 {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
