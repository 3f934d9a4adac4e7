internal import Foundation

/// The temporary folder that one browser writes to, and the lock that says whether its owner is alive.
///
/// The lock is a file beside the folder. The system lets go of it when its owner ends, in whichever way, so nobody has to
/// guess from process numbers whether a folder was left behind.
struct ProfileFolder {
  static let prefix = "web-snapshotting-"

  /// The folder's path.
  let path: String
  private let lockPath: String
  private let lock: Int32

  /// Makes a folder that nobody else can read.
  ///
  /// - Throws: ``WebError`` when nothing can be written there.
  init(in parent: String) throws(WebError) {
    path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
    lockPath = "\(path).lock"
    guard let lock = Self.makeLock(lockPath) else { throw Self.failure(path) }
    self.lock = lock
    guard mkdir(path, 0o700) == 0 else {
      let failure = Self.failure(path)
      unlink(lockPath)
      Glue.close(lock)
      throw failure
    }
  }

  /// Makes and locks a file.
  ///
  /// A sweep that comes between the two takes the file away: then there is a second try.
  private static func makeLock(_ path: String) -> Int32? {
    while true {
      let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard lock >= 0 else { return nil }
      var status = stat()
      if flock(lock, LOCK_EX) == 0, fstat(lock, &status) == 0, status.st_nlink > 0 { return lock }
      let wasSwept = status.st_nlink == 0
      Glue.close(lock)
      guard wasSwept else { return nil }
    }
  }

  private static func failure(_ path: String) -> WebError {
    let code = errno
    let nextStep = code == EMFILE ? "Raise the limit with 'ulimit -n'." : "Set TMPDIR to a writable folder."
    return WebError(
      kind: .cannotStart,
      description:
        "Cannot create the folder \(path) for the browser's profile: \(String(cString: strerror(code))). \(nextStep)")
  }

  /// Writes a file into the folder.
  func write(_ text: String, to name: String) throws(WebError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    } catch {
      throw WebError(kind: .cannotStart, description: "Cannot write \(path)/\(name): \(error).")
    }
  }

  /// Removes the folder, if it is still there, and the lock.
  ///
  /// The lock stays with a folder that cannot be removed, for the sweep of the next start. Called once.
  func remove() {
    // What was killed a moment ago may have written one more file.
    for _ in 0..<3 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
    if !FileManager.default.fileExists(atPath: path) { unlink(lockPath) }
    Glue.close(lock)
  }

  /// Removes the folders whose owners are dead.
  ///
  /// What another user has put there is none of them, whatever its name: that user could exchange it for something else meanwhile.
  ///
  /// - Parameter user: Whose folders they are.
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
      Glue.close(lock)
    }
  }

  private static func isFile(_ descriptor: Int32, of user: uid_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == user
  }

  /// Whether there is a folder of a user, and no link to one, or nothing.
  private static func isFolder(_ path: String, of user: uid_t) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
  }
}
