internal import Foundation

/// The temporary folder of a tour, with a lock that shows whether the tour is still running.
///
/// The system releases the lock when the process ends, so a later tour can safely remove folders without a lock.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class TourFolder: @unchecked Sendable {
  private static let prefix = "demo-tour-"

  private let lock = NSLock()
  private var path: String?
  private var descriptor: Int32 = -1
  private var isOver = false

  /// Creates the folder, and first removes the folders of tours that have ended.
  ///
  /// - Throws: ``TourReportError`` when the folder cannot be created, `CancellationError` after ``remove()``.
  func make() throws -> URL {
    let parent = FileManager.default.temporaryDirectory.path
    Self.sweep(parent)
    return try lock.withLock {
      while !isOver {
        let path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else {
          throw TourReportError(temporary: parent, String(cString: strerror(errno)))
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Another tour can remove the folder before it is locked. Then create a new one.
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 {
          (self.path, self.descriptor) = (path, descriptor)
          return URL(filePath: path, directoryHint: .isDirectory)
        }
        if descriptor >= 0 { close(descriptor) }
      }
      throw CancellationError()
    }
  }

  /// Removes the folder, and makes later calls of ``make()`` throw.
  func remove() {
    lock.withLock {
      isOver = true
      guard let path else { return }
      self.path = nil
      Self.remove(path)
      close(descriptor)
    }
  }

  /// Removes the folders of tours that have ended.
  private static func sweep(_ parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        remove(path)
      }
      close(descriptor)
    }
  }

  /// Removes a folder, and retries because a process can still write into it.
  private static func remove(_ path: String) {
    for _ in 0..<100 {
      try? FileManager.default.removeItem(atPath: path)
      if access(path, F_OK) != 0 { return }
    }
  }
}
