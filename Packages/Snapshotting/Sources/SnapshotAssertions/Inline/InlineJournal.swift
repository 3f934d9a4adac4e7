internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What processes of the same tests have put into a source file, for those that end after them.
///
/// The tests of the two libraries run in two processes, and `swift test --parallel` has many. All were compiled from one source,
/// and know the places of their assertions in that.
///
/// Guarded by its lock, which is one for all processes: a file that is locked from ``lock()`` to ``unlock()``.
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

  /// Waits until no other process reads or writes the source; where no file can be made, there is no other one to wait for.
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

  /// That of older tests is worth nothing: these were compiled after it.
  private func read() -> Content? {
    guard program.isOlder(than: path), let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(Content.self, from: data)
  }

  /// Tells the others; without a file they find that the source has changed, and refuse to write.
  func write(_ original: [UInt8], _ edits: [SourceEdit]) {
    guard let data = try? JSONEncoder().encode(Content(original: Data(original), edits: edits)) else { return }
    try? ReferenceFiles.replace(path, with: data)
  }
}
