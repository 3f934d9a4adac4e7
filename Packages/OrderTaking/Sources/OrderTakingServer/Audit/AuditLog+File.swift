internal import Foundation
internal import OrderTaking

extension AuditLog {
  /// Returns a log that appends one line of JSON for each entry to a file.
  ///
  /// The file is created for its owner alone if it does not exist. Lines of several servers do not mix. They survive the end of the
  /// process, but the last ones can be lost in a power failure; the server's store has the accepted orders also then.
  ///
  /// - Throws: ``OrderStoreError`` if the path is not a regular file, or if it cannot be opened.
  public static func file(at path: String) throws(OrderStoreError) -> AuditLog {
    let file = try AuditFile(at: path)
    return AuditLog { entry throws(OrderStoreError) in try file.append(entry.json + "\n") }
  }
}

/// An open file to which lines are appended.
private final class AuditFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the last line is incomplete, so that a line feed must come before the next one.
  private let hasPartialLine = Locked(false)

  init(at path: String) throws(OrderStoreError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw Self.error("open", path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw OrderStoreError("Cannot open the audit log \(path): it is not a regular file. Use another path.")
    }
  }

  deinit { close(descriptor) }

  func append(_ line: String) throws(OrderStoreError) {
    try hasPartialLine.withLock { hasPartialLine throws(OrderStoreError) in
      // After a full disk, the rest of a line is missing.
      var bytes = Array(((hasPartialLine ? "\n" : "") + line).utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.error("write to", path, errno) }
        bytes = bytes.dropFirst(count)
        hasPartialLine = !bytes.isEmpty
      }
    }
  }

  private static func error(_ action: String, _ path: String, _ code: Int32) -> OrderStoreError {
    let step =
      switch code {
      case ENOSPC, EDQUOT: "Free space on the disk."
      case ENOENT, ENOTDIR: "Create its folder first."
      case EISDIR: "Use the path of a file."
      default: "Check the permissions of the file and its folder, or use another path."
      }
    return OrderStoreError("Cannot \(action) the audit log \(path): \(String(cString: strerror(code))). \(step)")
  }
}
