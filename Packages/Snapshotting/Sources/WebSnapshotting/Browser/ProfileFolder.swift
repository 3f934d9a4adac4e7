internal import Foundation

/// The lock is a file beside the folder.
///
/// The system releases it when the owner ends in any way.
struct ProfileFolder {
  static let prefix = "web-snapshotting-"

  let path: String
  private var lockPath: String { "\(path).lock" }
  private let lock: Int32

  /// Creates a folder that only this user can read.
  init(in parent: String) throws(WebError) {
    path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
    guard let lock = Self.createLock("\(path).lock") else { throw Self.failure(errno, "create the folder \(path)") }
    self.lock = lock
    guard mkdir(path, 0o700) == 0 else {
      let failure = Self.failure(errno, "create the folder \(path)")
      unlink(lockPath)
      close(lock)
      throw failure
    }
  }

  /// A sweep may remove the file before it is locked; then it is created again.
  private static func createLock(_ path: String) -> Int32? {
    while true {
      let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard lock >= 0 else { return nil }
      var status = stat()
      if flock(lock, LOCK_EX) == 0, fstat(lock, &status) == 0, status.st_nlink > 0 { return lock }
      close(lock)
      guard status.st_nlink == 0 else { return nil }
    }
  }

  private static func failure(_ code: Int32, _ step: String) -> WebError {
    let nextStep =
      switch code {
      case EMFILE: "Raise the limit with 'ulimit -n'."
      case ENOSPC, EDQUOT: "Free disk space, or set TMPDIR to another folder."
      default: "Set TMPDIR to a writable folder."
      }
    return WebError(
      kind: .cannotStart,
      description: "Cannot \(step) for the browser's profile: \(String(cString: strerror(code))). \(nextStep)")
  }

  func write(_ text: String, to name: String) throws(WebError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code ?? .EIO
      throw Self.failure(code.rawValue, "write \(path)/\(name)")
    }
  }

  /// The lock file of a folder that cannot be removed is kept for the next sweep.
  func remove() {
    // A process that was killed just now may have written one more file.
    for _ in 0..<3 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
    if !FileManager.default.fileExists(atPath: path) { unlink(lockPath) }
    close(lock)
  }

  /// Folders of another user are left alone: that user could replace them during the sweep.
  static func sweep(_ parent: String, of user: uid_t = geteuid()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(".lock") {
      let lockPath = "\(parent)/\(name)"
      let path = String(lockPath.dropLast(".lock".count))
      let lock = open(lockPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard lock >= 0 else { continue }
      if isFile(lock, of: user), isFolder(path, of: user), flock(lock, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
        if !FileManager.default.fileExists(atPath: path) { unlink(lockPath) }
      }
      close(lock)
    }
  }

  private static func isFile(_ descriptor: Int32, of user: uid_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == user
  }

  /// Whether the path is free, or has a folder of the user that is not a link.
  private static func isFolder(_ path: String, of user: uid_t) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
  }
}
