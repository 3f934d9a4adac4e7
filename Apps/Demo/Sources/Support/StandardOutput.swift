internal import Foundation

/// Where bytes go that are no text: pictures, for a pipe or a file.
enum StandardOutput {
  /// Whether anything can be written to it.
  static var isThere: Bool {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Writes all bytes; a reader that has seen enough is no error.
  ///
  /// - Throws: `POSIXError` when they cannot be written.
  static func write(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        return
      } else if errno != EINTR {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }
  }
}
