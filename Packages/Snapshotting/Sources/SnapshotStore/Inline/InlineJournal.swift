internal import Foundation

/// The edits of a source file by all processes of one build of the tests.
///
/// The two test libraries run in two processes, and `swift test --parallel` starts many. All know the places of their
/// assertions in the source that was compiled.
///
/// A file lock between ``lock()`` and ``unlock()`` excludes other processes.
final class InlineJournal {
  private struct Content: Codable {
    let original: Data
    let edits: [SourceEdit]
  }

  private let path: String
  private let program: TestProgram
  private var lockFile: Int32 = -1

  init(path: String, program: TestProgram) {
    self.path = path
    self.program = program
  }

  /// Waits until no other process reads or writes the source.
  ///
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

  /// The source before the edits that led to the current file.
  func original(of current: [UInt8]) -> [UInt8]? {
    guard let content = read(), Self.edits(in: content, that: current) != nil else { return nil }
    return Array(content.original)
  }

  /// The edits that led to the current file.
  func edits(of original: [UInt8], that current: [UInt8]) -> [SourceEdit]? {
    guard let content = read(), Array(content.original) == original else { return nil }
    return Self.edits(in: content, that: current)
  }

  /// The edits of the journal, or all but the last one if the process ended before it wrote the file.
  private static func edits(in content: Content, that current: [UInt8]) -> [SourceEdit]? {
    [content.edits, content.edits.dropLast()].first { applying($0, to: Array(content.original)) == current }
  }

  /// A journal that is older than the program belongs to an earlier build.
  private func read() -> Content? {
    guard program.isOlder(than: path), let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(Content.self, from: data)
  }

  /// Writes the journal.
  ///
  /// Without one, other processes refuse to write because the source has changed.
  func write(_ original: [UInt8], _ edits: [SourceEdit]) {
    guard let data = try? JSONEncoder().encode(Content(original: Data(original), edits: edits)) else { return }
    try? ReferenceFiles.replace(path, with: data)
  }
}
