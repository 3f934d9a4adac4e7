internal import Foundation

/// A file that a command writes what it made to.
enum OutputFile {
  /// Why nothing was written: what the system said, in words.
  struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(code: Int32) { reason = String(cString: strerror(code)) }
  }

  /// What to tell when something could not be written.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - path: Where it was to go; `-` is standard output.
  static func message(of error: any Error, _ path: String?) -> String {
    let reason =
      switch error {
      case let error as Failure: error.reason
      case let error as POSIXError: String(cString: strerror(error.code.rawValue))
      default: "\(error)".hasSuffix(".") ? String("\(error)".dropLast()) : "\(error)"
      }
    guard let path, path != "-" else {
      return "Cannot write to standard output: \(reason). Give it somewhere to go, or name a file with -o."
    }
    return "Cannot write \(path): \(reason). Give another file with -o."
  }

  /// Puts bytes in a file's place, all of them or none.
  ///
  /// Symbolic links are followed to what they lead to. A regular file is replaced by one that was written beside it, and keeps
  /// its permissions; what is no regular file (a device, a pipe) is written to where it is.
  ///
  /// - Throws: ``Failure``; a regular file is as it was then.
  static func write(_ data: Data, to path: String) throws(Failure) {
    let path = try destination(of: path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw Failure(code: errno) }
      return try replace(path, with: data, mode: nil)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw Failure("it is a folder")
    case S_IFREG:
      guard access(path, W_OK) == 0 else { throw Failure(code: errno) }
      try replace(path, with: data, mode: status.st_mode & 0o7777)
    default:
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(code: errno) }
      let code = writeAll(data, to: file)
      guard close(file) == 0, code == 0 else { throw Failure(code: code == 0 ? errno : code) }
    }
  }

  /// Where symbolic links lead, whether there is something or not.
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
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(code: errno) }
    var code = writeAll(data, to: file)
    if code == 0, let mode, fchmod(file, mode) != 0 { code = errno }
    if close(file) != 0, code == 0 { code = errno }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw Failure(code: code)
    }
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
