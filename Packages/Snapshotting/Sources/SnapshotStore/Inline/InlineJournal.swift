internal import Foundation

/// A source file as it was compiled, and its edits since then.
struct InlineHistory: Codable {
  let original: Data
  var edits: [SourceEdit] = []

  /// The source with the edits; `nil` if they do not fit it.
  var current: Data? { applying(edits, to: Array(original)).map { Data($0) } }
}

/// The edits of a source file by all processes of one build of the tests.
///
/// The two test libraries run in two processes, and `swift test --parallel` starts many. All know the places of their
/// assertions in the source that was compiled.
///
/// A file lock between ``lock()`` and ``unlock()`` excludes other processes.
final class InlineJournal {
  private let path: String
  private let program: TestProgram
  private var lockFile: Int32 = -1

  init(path: String, program: TestProgram) {
    self.path = path
    self.program = program
  }

  /// Does not wait if the lock file cannot be created.
  func lock() {
    try? FileManager.default.createDirectory(
      atPath: ReferenceFiles.folder(of: path), withIntermediateDirectories: true)
    lockFile = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    while lockFile >= 0, lockf(lockFile, F_LOCK, 0) != 0, errno == EINTR {}
  }

  func unlock() {
    if lockFile >= 0 { close(lockFile) }
    lockFile = -1
  }

  /// Returns the edits that led to the current file, or all but the last one if the process ended before it wrote the file.
  ///
  /// A journal that is older than the program belongs to an earlier build.
  ///
  /// - Throws: ``SnapshotError`` if the journal is damaged.
  func history(of current: Data) throws(SnapshotError) -> InlineHistory? {
    guard program.isOlder(than: path), let data = FileManager.default.contents(atPath: path) else { return nil }
    guard var history = try? JSONDecoder().decode(InlineHistory.self, from: data), history.current != nil else {
      throw SnapshotError(
        "Cannot record the inline snapshot: the journal \(path) is damaged. Remove it, and run the test again.")
    }
    if history.current != current { _ = history.edits.popLast() }
    return history.current == current ? history : nil
  }

  /// Without one, other processes refuse to write because the source has changed.
  func write(_ history: InlineHistory) {
    guard let data = try? JSONEncoder().encode(history) else { return }
    try? ReferenceFiles.replace(path, with: data)
  }
}
