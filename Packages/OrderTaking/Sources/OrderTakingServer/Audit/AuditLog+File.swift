internal import Foundation
internal import OrderTaking

extension AuditLog {
  /// Returns a log that appends one line of JSON for each entry to a file.
  ///
  /// A new file can be read only by its owner; an existing one keeps its permissions. Entries survive the end of the process. A power
  /// failure can lose the last entries; a store on a disk still has the accepted orders. To rotate the file, copy and truncate it.
  ///
  /// - Throws: ``OrderStoreError`` if the path is not a regular file, if it does not begin with `{`, or if it cannot be opened.
  public static func file(at path: String) throws(OrderStoreError) -> AuditLog {
    let file = try AuditFile(at: path)
    return AuditLog { entry throws(OrderStoreError) in try file.append(entry.json + "\n") }
  }
}

private final class AuditFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the last line is incomplete, so that a line feed must come before the next one.
  private let hasPartialLine = Locked(false)

  init(at path: String) throws(OrderStoreError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    // `deinit` also runs after an error, and closes the descriptor.
    guard descriptor >= 0 else { throw Self.error("open", path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw OrderStoreError("Cannot open the audit log \(path): it is not a regular file. Use another path.")
    }
    guard status.st_size > 0 else { return }
    // Another file, such as the server's state or key, must not be changed.
    guard byte(at: 0) == UInt8(ascii: "{") else {
      throw OrderStoreError("Cannot open the audit log \(path): the file has other contents. Use another path.")
    }
    hasPartialLine.withLock { $0 = byte(at: status.st_size - 1) != UInt8(ascii: "\n") }
  }

  private func byte(at offset: off_t) -> UInt8? {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, offset) == 1 ? byte : nil
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

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
      case ENOSPC, EDQUOT, EFBIG: "Free space on the disk, or raise the limit for the size of files."
      case ENOENT, ENOTDIR: "Create its folder first."
      case EISDIR, ENXIO: "Use the path of a regular file."
      default: "Check the permissions of the file and its folder, or use another path."
      }
    return OrderStoreError("Cannot \(action) the audit log \(path): \(String(cString: strerror(code))). \(step)")
  }
}
