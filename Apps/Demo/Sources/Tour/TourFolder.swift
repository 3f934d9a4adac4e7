internal import Foundation

/// The folder in which one tour keeps its files, and the lock that says whether that tour is alive.
///
/// The system lets go of the lock when its owner ends, in whichever way, so nobody has to guess whether a folder was left behind.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class TourFolder: @unchecked Sendable {
  private static let prefix = "demo-tour-"

  private let lock = NSLock()
  private var path: String?
  private var descriptor: Int32 = -1
  private var isOver = false

  /// Makes the folder among the temporary files, where it first removes what dead tours have left.
  ///
  /// - Throws: ``TourReportError`` when nothing can be written there, `CancellationError` when the folder was removed before.
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
        // A sweep that came between has taken it for left behind: then there is another one.
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 {
          (self.path, self.descriptor) = (path, descriptor)
          return URL(filePath: path, directoryHint: .isDirectory)
        }
        if descriptor >= 0 { close(descriptor) }
      }
      throw CancellationError()
    }
  }

  /// Removes the folder with all that is in it; no other one is made after that.
  func remove() {
    lock.withLock {
      isOver = true
      guard let path else { return }
      self.path = nil
      Self.remove(path)
      close(descriptor)
    }
  }

  /// Removes the folders whose tours are dead.
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

  /// Who still writes into it may have made something since it was looked into: so there is more than one try.
  private static func remove(_ path: String) {
    for _ in 0..<100 {
      try? FileManager.default.removeItem(atPath: path)
      if access(path, F_OK) != 0 { return }
    }
  }
}
