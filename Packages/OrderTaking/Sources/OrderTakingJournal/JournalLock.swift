internal import Foundation
internal import OrderTaking

/// The exclusive lock of a journal, held from before the first read of its files until the journal is closed.
///
/// Only one process can hold it, and in that process only one journal. It is a lock on a separate file beside the
/// journal. So the opening follows symbolic links first, and refuses a file with another name. SQLite's own locks are
/// not enough. They end when the process closes any descriptor of the file, as a recovery does. They stay with a
/// damaged file that is moved aside, and they exclude readers.
final class JournalLock {
  private let path: String
  private let descriptor: Int32

  /// Locks a journal, even if its file does not exist.
  ///
  /// - Throws: An error of kind `inUse` if it is locked by this process or another one.
  init(of journal: String) throws(JournalError) {
    let path = FilePath.inRealFolder(journal) + ".lock"
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.failure(journal, errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(descriptor)
        if code == EINTR { continue }
        throw Self.failure(journal, code)
      }
      // The last owner may have removed the file after `open`. This descriptor then has no lock.
      var own = stat()
      var present = stat()
      if fstat(descriptor, &own) == 0, stat(path, &present) == 0, own.st_ino == present.st_ino,
        own.st_dev == present.st_dev
      {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      close(descriptor)
    }
  }

  deinit {
    // While this process has the lock: later, another process could have locked the file.
    unlink(path)
    close(descriptor)
  }

  static func failure(_ journal: String, _ code: Int32) -> JournalError {
    guard code != EWOULDBLOCK else {
      return JournalError(
        .inUse,
        "Cannot open the journal \(journal): it is locked, because it is already open in this process or another one. "
          + "Close it there, end that process, or use another file.")
    }
    let nextStep =
      switch code {
      case EMFILE, ENFILE: "Raise the limit of open files with 'ulimit -n'."
      case ENOENT, ENOTDIR: "Check the path, and create its folder."
      case EACCES, EPERM, EROFS: "Check the path and the permissions of its folder."
      default: "Check the path, the permissions and the free disk space."
      }
    return JournalError(
      [EACCES, EPERM, EROFS].contains(code) ? .notWritable : .storage,
      "Cannot lock the journal \(journal): \(String(cString: strerror(code))). \(nextStep)")
  }
}
