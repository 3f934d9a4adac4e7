internal import Foundation

/// The temporary files of writes, and the removal of the files of killed processes.
enum AbandonedFiles {
  /// Returns a path that no other write uses: `.<number>.<process>.tmp`.
  static func temporaryPath(in folder: String) -> String {
    "\(folder)/.\(UInt64.random(in: .min ... .max)).\(getpid()).tmp"
  }

  /// Removes abandoned files from a folder on the first call for it in this process.
  static func removeOnce(in folder: String) {
    guard state.isFirst(folder) else { return }
    remove(ReferenceFiles.names(in: folder), in: folder)
  }

  /// Removes the abandoned files among the names in a folder.
  ///
  /// A file is abandoned if its process has ended and it is older than ten minutes. The process alone is not enough: it
  /// may run on another machine that shares the folder.
  static func remove(_ names: [String], in folder: String) {
    for name in names {
      guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, time(nil) - status.modificationTime > 600
      else { continue }
      unlink(path)
    }
  }

  private static func process(of name: String) -> pid_t? {
    guard name.hasPrefix("."), name.hasSuffix(".tmp") else { return nil }
    let parts = name.split(separator: ".")
    guard parts.count == 3, UInt64(parts[0]) != nil, let process = pid_t(parts[1]), process > 0 else { return nil }
    return process
  }

  private static let state = Folders()

  /// `@unchecked Sendable`: the state is read and written only while `lock` is held.
  private final class Folders: @unchecked Sendable {
    private let lock = NSLock()
    private var seen: Set<String> = []

    func isFirst(_ folder: String) -> Bool { lock.withLock { seen.insert(folder).inserted } }
  }
}

extension stat {
  fileprivate var modificationTime: time_t {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
