package import Foundation

/// The time at which a program was linked, in seconds since 2001, so that JSON keeps all its digits.
package typealias BuildTime = TimeInterval

/// A source file as it was compiled, and the edits since then.
///
/// The two test libraries run in two processes, `swift test --parallel` starts many, and a snapshot can be accepted
/// after the run. All of them know only the places in the compiled source. So the edits are kept in a journal beside
/// the pending snapshots, and each writer applies all of them to the compiled source, in a lock.
package struct InlineSource {
  private struct Journal: Codable {
    let built: BuildTime
    let compiled: Data
    var edits: [InlineEdit] = []
  }

  private let path: String
  private let journalPath: String
  private var journal: Journal

  package var compiled: Data { journal.compiled }

  /// Whether texts were written into the source since the build, which can move later calls.
  var isEdited: Bool { !journal.edits.isEmpty }

  /// Reads a source and its journal.
  ///
  /// - Throws: ``SnapshotError`` if the file is neither the source of the build nor that source with the edits
  ///   of the journal.
  private init(_ path: String, built: BuildTime) throws(SnapshotError) {
    self.path = path
    journalPath = "\(Self.store(of: path).folder)/sources/\(Fingerprint.of(path.utf8)).json"
    guard let current = try ReferenceFiles.read(path) else {
      throw SnapshotError("Cannot read the source \(path): it does not exist. Build the tests where their sources are.")
    }
    journal = Journal(built: built, compiled: current)
    let modified = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    if (modified ?? .distantFuture).timeIntervalSinceReferenceDate <= built { return }
    guard let data = try ReferenceFiles.read(journalPath),
      let known = try? JSONDecoder().decode(Journal.self, from: data), known.built == built,
      (try? InlineEdit.applying(known.edits, to: known.compiled, of: path)) == current
    else {
      throw SnapshotError(
        "Cannot change the inline snapshots of \(path): the source was modified after the tests were built. Run "
          + "the tests again. If that changes nothing, delete the built tests first: rm -r .build/debug/*.xctest")
    }
    journal = known
  }

  package static func store(of path: String) -> PendingStore {
    PendingStore(root: ProjectRoot.containing(ReferenceFiles.folder(of: path)))
  }

  /// Calls a function with a source and its journal, while no other process changes them.
  package static func withLock<Result>(
    _ path: String, built: BuildTime, _ body: (inout InlineSource) throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> Result {
    try ReferenceFiles.withLock(store(of: path).folder) { () throws(SnapshotError) in
      var source = try InlineSource(path, built: built)
      return try body(&source)
    }
  }

  /// Replaces the source and the journal.
  ///
  /// - Parameter edits: The edits to add, each in place of an earlier one of the same closure.
  package mutating func write(_ edits: [InlineEdit]) throws(SnapshotError) {
    for edit in edits {
      journal.edits.removeAll { $0.isSameClosure(as: edit) }
      journal.edits.append(edit)
    }
    let source = try InlineEdit.applying(journal.edits, to: journal.compiled, of: path)
    // The journal is first: without it, other processes do not know the edits of the source.
    try ReferenceFiles.replace(journalPath, with: ReferenceFiles.json(journal))
    try ReferenceFiles.replace(path, with: source)
  }
}

/// Collects the inline snapshots that this process records, and writes them when it exits.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class InlineWriter: @unchecked Sendable {
  package static let shared: InlineWriter = {
    atexit { InlineWriter.shared.write() }
    return InlineWriter(linked: linkTime)
  }()

  private let lock = NSLock()
  package let built: BuildTime
  private(set) var edits: [String: [InlineEdit]] = [:]

  /// - Parameter linked: The time at which the tests were linked.
  package init(linked: Date) {
    built = linked.timeIntervalSinceReferenceDate
  }

  /// Returns the source of a file, as it was compiled.
  package func compiledSource(of path: String) throws(SnapshotError) -> Data {
    try InlineSource.withLock(path, built: built) { source in source.compiled }
  }

  /// - Throws: ``SnapshotError`` if the edit does not fit the source.
  package func check(_ edit: InlineEdit, in path: String) throws(SnapshotError) {
    let added = lock.withLock { edits[path, default: []] }
    let others = added.filter { $0.isSameCall(as: edit) && $0.closure != edit.closure }
    _ = try InlineEdit.applying(others + [edit], to: try compiledSource(of: path), of: path)
  }

  /// Adds an edit that is written when the process exits.
  ///
  /// - Throws: ``SnapshotError`` if it does not fit the source.
  package func add(_ edit: InlineEdit, to path: String) throws(SnapshotError) {
    try check(edit, in: path)
    lock.withLock { edits[path, default: []].append(edit) }
  }

  /// Removes the edit of an assertion that ran again with a different text.
  package func remove(_ edit: InlineEdit, from path: String) {
    lock.withLock { edits[path]?.removeAll { $0.isSameClosure(as: edit) } }
  }

  /// Writes the added edits in place of pending snapshots, and keeps the edits of other processes.
  ///
  /// Prints what cannot be written: the assertions have failed already.
  package func write() {
    lock.lock()
    defer { lock.unlock() }
    for (path, edits) in edits {
      do throws(SnapshotError) {
        try InlineSource.withLock(path, built: built) { source throws(SnapshotError) in try source.write(edits) }
        // Not before, because the process may crash.
        let recorder = PendingRecorder(built: built)
        for edit in edits { recorder.remove(edit.key(in: path), ofSource: path) }
      } catch {
        FileHandle.standardError.write(Data("\(path): error: \(error)\n".utf8))
      }
    }
    edits = [:]
  }

  private static var linkTime: Date {
    #if canImport(Darwin)
      // The tests are a bundle that another program loads.
      let path = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.executablePath
    #else
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #endif
    let attributes = path.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
    return attributes?[.modificationDate] as? Date ?? .distantFuture
  }
}
