internal import Foundation

/// Writes recorded inline snapshots into their source files.
///
/// A file is rewritten as a whole after each recorded snapshot, so a crash loses none. Places refer to the compiled
/// source, so each source is read only once. Later edits are applied to that text. A file with other changes is not
/// rewritten.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class InlineSources: @unchecked Sendable {
  package static let shared = InlineSources(program: TestProgram.running)

  private let lock = NSLock()
  private let program: TestProgram?
  private var histories: [String: InlineHistory] = [:]
  private var tokens: [String: [SwiftToken]] = [:]
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
    var history = try history(of: path, journal)
    let call = try InlineCall(
      in: Array(history.original), tokens: try tokens(of: history, at: path), path: path, line: line, column: column)
    let edit = try call.edit(newText: text, expected: expected, target: target)
    if let other = history.edits.first(where: { $0.range == edit.range }) {
      guard other == edit else {
        throw SnapshotError(
          """
          Cannot record the inline snapshot: this assertion ran more than once, perhaps in another test process, with \
          different texts. Write one assertion for each text.
          """)
      }
    } else {
      history.edits.append(edit)
      guard let rewritten = history.current else { throw InlineCall.changed("the calls overlap") }
      // The journal is first, so that a crash between the two writes is recognised.
      journal?.write(history)
      try ReferenceFiles.replace(path, with: rewritten)
      let folder = ReferenceFiles.folder(of: path)
      TemporaryFiles.remove(ReferenceFiles.names(in: folder), in: folder)
    }
    histories[path] = history
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

  package func compiledSource(of path: String) -> [UInt8]? {
    lock.lock()
    defer { lock.unlock() }
    if let known = histories[path] { return Array(known.original) }
    guard let current = try? contents(of: path) else { return nil }
    return Array((try? program?.journal(of: path).history(of: current))?.original ?? current)
  }

  /// Whether a file was modified after the build, other than by recorded snapshots.
  func isModified(_ path: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard histories[path] == nil, let program, program.isOlder(than: path) else { return false }
    guard let current = try? contents(of: path) else { return true }
    return (try? program.journal(of: path).history(of: current)) == nil
  }

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

  private func history(of path: String, _ journal: InlineJournal?) throws(SnapshotError) -> InlineHistory {
    let current = try contents(of: path)
    let known = histories[path]
    if let known, known.current == current { return known }
    if let history = try journal?.history(of: current), known == nil || known?.original == history.original {
      return history
    }
    guard known == nil else {
      throw SnapshotError(
        "Cannot record the inline snapshot: \(path) was modified after the first snapshot was taken. Run the test again."
      )
    }
    guard program?.isOlder(than: path) != true else {
      // A change that alters no code, as of a comment, leaves the program as it is.
      throw SnapshotError(
        "Cannot record the inline snapshot: \(path) was modified after the tests were built. Run the test again. If that does "
          + "not help, build everything again: swift package clean")
    }
    return InlineHistory(original: current)
  }

  private func tokens(of history: InlineHistory, at path: String) throws(SnapshotError) -> [SwiftToken] {
    if let known = tokens[path] { return known }
    guard let found = SwiftLexer.tokens(of: Array(history.original)) else {
      throw SnapshotError(
        "Cannot rewrite \(path): it has an unterminated string literal or comment. Correct it, and run the test again.")
    }
    tokens[path] = found
    return found
  }

  private func contents(of path: String) throws(SnapshotError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw SnapshotError(
        "Cannot read the source \(path): \(ReferenceFiles.reason(for: error)). Check that it exists and is readable.")
    }
  }
}

/// Returns a source with edits, in any order; `nil` if they overlap, are outside of the source, or divide a character's bytes.
package func applying(_ edits: [SourceEdit], to source: [UInt8]) -> [UInt8]? {
  // The bytes of a character after the first one are 10xxxxxx.
  func isBoundary(_ offset: Int) -> Bool { offset == source.count || source[offset] & 0b1100_0000 != 0b1000_0000 }
  var result: [UInt8] = []
  var end = 0
  for edit in edits.sorted(by: {
    ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
  }) {
    let (lower, upper) = (edit.range.lowerBound, edit.range.upperBound)
    guard lower >= end, upper <= source.count, isBoundary(lower), isBoundary(upper) else { return nil }
    result += source[end..<lower] + edit.replacement
    end = upper
  }
  return result + source[end...]
}
