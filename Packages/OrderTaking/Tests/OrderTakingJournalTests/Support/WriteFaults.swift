import CSQLite
import Foundation
import OrderTaking

/// Faults of the system calls with which SQLite writes files.
///
/// SQLite lets tests replace these calls. The rest of the journal is as it is in an app.
enum WriteFaults {
  struct Fault: Sendable {
    var code: Int32 = EIO
    /// The calls before the failure.
    var successes = 0
    var failures = 1
    var writes = false
  }

  private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

  private static let faults = Locked<[UInt64: Fault]>([:])

  /// Makes calls fail that write a file which exists.
  static func set(_ fault: Fault?, for path: String) {
    _ = installation
    var status = stat()
    if stat(path, &status) == 0 { faults.withLock { $0[UInt64(status.st_ino)] = fault } }
  }

  private static let installation: Void = {
    let write: Write = { file, bytes, count, offset in
      var status = stat()
      fstat(file, &status)
      let fault = faults.withLock { faults -> Fault? in
        guard let fault = faults[UInt64(status.st_ino)], fault.failures > 0 else { return nil }
        faults[UInt64(status.st_ino)]?.successes -= 1
        guard fault.successes <= 0 else { return nil }
        faults[UInt64(status.st_ino)]?.failures -= 1
        return fault
      }
      let written = fault?.writes == false ? count : pwrite(file, bytes, count, offset)
      guard let fault else { return written }
      errno = fault.code
      return -1
    }
    guard let vfs = sqlite3_vfs_find(nil) else { return }
    for name in ["pwrite", "pwrite64"] {
      _ = vfs.pointee.xSetSystemCall(vfs, name, unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
    }
  }()
}
