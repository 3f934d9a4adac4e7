internal import Foundation

/// Writes recorded inline snapshots into their source files.
///
/// A file is rewritten as a whole after each recorded snapshot, so a crash loses none. Places refer to the source that was compiled,
/// so each source is read once, and later edits are applied to that. A file with other changes is not rewritten.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class InlineSources: @unchecked Sendable {
  /// The sources of the process.
  package static let shared = InlineSources(program: TestProgram.running)

  private struct Source {
    let original: [UInt8]
    let tokens: [SwiftToken]
    var edits: [SourceEdit] = []
  }

  private let lock = NSLock()
  private let program: TestProgram?
  private var sources: [String: Source] = [:]
  /// The hashes of the first texts of closures.
  private var texts: [String: Int] = [:]

  /// - Parameter program: The program that was compiled from the sources; `nil` to ignore other processes and modification times.
  package init(program: TestProgram?) {
    self.program = program
  }

  /// Records a text for a call.
  ///
  /// - Throws: ``SnapshotError`` if the source differs from the compiled one, or if the call got a different text before.
  package func record(
    _ text: String, over expected: String?, in path: String, line: UInt, column: UInt, target: InlineCall.Target
  ) throws(SnapshotError) {
    lock.lock()
    defer { lock.unlock() }
    let journal = program?.journal(of: path)
    journal?.lock()
    defer { journal?.unlock() }
    var source: Source
    if let known = sources[path] { source = known } else { source = try load(path, journal) }
    let call = try InlineCall(in: source.original, tokens: source.tokens, path: path, line: line, column: column)
    let edit = try call.edit(newText: text, expected: expected, target: target)
    if let other = source.edits.first(where: { $0.range == edit.range }) {
      guard other == edit else {
        throw SnapshotError(
          "Cannot record the inline snapshot: this assertion ran more than once, with different texts. Write one assertion for each text."
        )
      }
      return
    }
    try write(edit, to: source, at: path, journal)
    source.edits.append(edit)
    sources[path] = source
  }

  /// Notes a text for a closure, and returns whether the closure got a different one before, for example in a loop.
  package func isRepeated(_ closure: InlineCall.Closure?, of site: AssertionSite, with text: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    let place = "\(site.filePath):\(site.line):\(site.column):\(closure.map { "\($0)" } ?? "")"
    guard let known = texts[place] else {
      texts[place] = text.hashValue
      return false
    }
    return known != text.hashValue
  }

  /// Returns the source of a file as it was compiled if that is known, otherwise the current source.
  package func compiledSource(of path: String) -> [UInt8]? {
    lock.lock()
    defer { lock.unlock() }
    if let known = sources[path] { return known.original }
    guard let current = try? contents(of: path) else { return nil }
    return original(of: path, current) ?? current
  }

  /// Whether a file was modified after the build, other than by recorded snapshots.
  func isModified(_ path: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard sources[path] == nil, program?.isOlder(than: path) == true else { return false }
    guard let current = try? contents(of: path) else { return true }
    return original(of: path, current) == nil
  }

  private func original(of path: String, _ current: [UInt8]) -> [UInt8]? {
    program?.journal(of: path).original(of: current)
  }

  /// Returns the line of the closure of a call, or `nil` if the closure is not found.
  package static func line(
    of closure: InlineCall.Closure, in path: String, line: UInt, column: UInt
  ) -> UInt? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    let source = Array(data)
    guard let tokens = SwiftLexer.tokens(of: source),
      let call = try? InlineCall(in: source, tokens: tokens, path: path, line: line, column: column)
    else { return nil }
    return call.line(of: closure)
  }

  private func load(_ path: String, _ journal: InlineJournal?) throws(SnapshotError) -> Source {
    let current = try contents(of: path)
    let original = journal?.original(of: current)
    guard original != nil || program?.isOlder(than: path) != true else {
      // A change that alters no code, as of a comment, leaves the program as it is.
      throw SnapshotError(
        "Cannot record the inline snapshot: \(path) was modified after the tests were built. Run the test again. If that does "
          + "not help, build everything again: swift package clean")
    }
    let bytes = original ?? current
    guard let tokens = SwiftLexer.tokens(of: bytes) else {
      throw SnapshotError("Cannot rewrite \(path): it has an unterminated string literal or comment.")
    }
    return Source(original: bytes, tokens: tokens)
  }

  private func write(
    _ edit: SourceEdit, to source: Source, at path: String, _ journal: InlineJournal?
  ) throws(SnapshotError) {
    let current = try contents(of: path)
    var edits = source.edits
    if current != applying(edits, to: source.original) {
      guard let written = journal?.edits(of: source.original, that: current) else {
        throw SnapshotError(
          "Cannot record the inline snapshot: \(path) was modified after the first snapshot was taken. Run the test again."
        )
      }
      edits = written
    }
    guard let same = edits.first(where: { $0.range == edit.range }) else {
      // The journal is first, so that a crash between the two writes is recognised.
      journal?.write(source.original, edits + [edit])
      return try ReferenceFiles.replace(path, with: Data(applying(edits + [edit], to: source.original)))
    }
    guard same == edit else {
      throw SnapshotError(
        "Cannot record the inline snapshot: another test process recorded a different text for it. Run the test again.")
    }
  }

  private func contents(of path: String) throws(SnapshotError) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw SnapshotError("Cannot read the source \(path): \(error.localizedDescription)")
    }
  }
}

/// Returns a source with edits, which are applied from the last to the first, so that the places of the others stay.
package func applying(_ edits: [SourceEdit], to source: [UInt8]) -> [UInt8] {
  var result = source
  for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
    result.replaceSubrange(edit.range, with: edit.replacement)
  }
  return result
}
