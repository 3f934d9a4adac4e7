internal import Foundation

/// Rewrites the source files in which inline snapshots are recorded, when the tests are over.
///
/// Each file is read when something is first recorded in it; what is recorded is found in that at once, and kept. At the end of
/// the process each file is replaced, whole, unless somebody else has written to it: then nothing in it changes, and what was not
/// written is told with its place. A process that crashes writes nothing.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class InlineSources: @unchecked Sendable {
  /// That of the process.
  ///
  /// Either test library ends its process with `exit`.
  static let shared: InlineSources = {
    atexit {
      for refusal in InlineSources.shared.rewrite() { FileHandle.standardError.write(Data("\(refusal)\n".utf8)) }
    }
    return InlineSources(program: TestProgram.running)
  }()

  /// A snapshot that was recorded, and the line of its assertion.
  private struct Recorded {
    let edit: SourceEdit
    let line: UInt
  }

  private struct Source {
    let original: [UInt8]
    let tokens: [SwiftToken]
    var recorded: [Recorded] = []
  }

  private let lock = NSLock()
  private let program: TestProgram?
  private var sources: [String: Source] = [:]

  /// - Parameter program: What was compiled from the sources; without one, other processes and times are not thought of.
  init(program: TestProgram?) {
    self.program = program
  }

  /// Notes a text for the closure of a call.
  ///
  /// - Throws: ``AssertionError`` when the source is not the one that was compiled, or when the call got another text before.
  func record(
    _ text: String, over expected: String?, in path: String, line: UInt, column: UInt, function: String,
    target: InlineCall.Target
  ) throws(AssertionError) {
    lock.lock()
    defer { lock.unlock() }
    var source: Source
    if let known = sources[path] { source = known } else { source = try load(path) }
    let call = try InlineCall(
      in: source.original, tokens: source.tokens, path: path, line: line, column: column, function: function)
    let edit = try call.edit(newText: text, expected: expected, target: target)
    if let other = source.recorded.first(where: { $0.edit.range == edit.range }) {
      guard other.edit == edit else {
        throw AssertionError(
          "Cannot record the inline snapshot: this assertion ran more than once, with different texts. Write one assertion for each text."
        )
      }
      return
    }
    source.recorded.append(Recorded(edit: edit, line: line))
    sources[path] = source
  }

  /// Returns the line of the closure of a call, or `nil` if the source has no such closure.
  static func line(
    of descriptor: InlineSnapshotSyntaxDescriptor, in path: String, line: UInt, column: UInt
  ) -> UInt? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    let source = Array(data)
    guard let tokens = SwiftLexer.tokens(of: source),
      let call = try? InlineCall(in: source, tokens: tokens, path: path, line: line, column: column, function: "")
    else { return nil }
    return call.line(of: descriptor)
  }

  private func load(_ path: String) throws(AssertionError) -> Source {
    let bytes = try original(of: path)
    guard let tokens = SwiftLexer.tokens(of: bytes) else {
      throw AssertionError("Cannot rewrite \(path): it has an unterminated string literal or comment.")
    }
    return Source(original: bytes, tokens: tokens)
  }

  /// The source as it was compiled.
  private func original(of path: String) throws(AssertionError) -> [UInt8] {
    guard let program else { return try contents(of: path) }
    let journal = program.journal(of: path)
    journal.lock()
    defer { journal.unlock() }
    let current = try contents(of: path)
    if let original = journal.original(of: current) { return original }
    guard !program.isOlder(than: path) else {
      throw InlineCall.changed("\(path) was modified after the tests were built")
    }
    return current
  }

  /// Writes what was recorded.
  ///
  /// - Returns: What could not be written, a line for each snapshot.
  func rewrite() -> [String] {
    lock.lock()
    defer { lock.unlock() }
    let sources = sources.filter { !$0.value.recorded.isEmpty }
    self.sources = [:]
    return sources.sorted { $0.key < $1.key }.flatMap { path, source -> [String] in
      do throws(AssertionError) {
        try rewrite(source, at: path)
        return []
      } catch {
        return source.recorded.sorted { $0.line < $1.line }.map {
          "\(path):\($0.line): error: Cannot write the inline snapshot. \(error)"
        }
      }
    }
  }

  private func rewrite(_ source: Source, at path: String) throws(AssertionError) {
    let journal = program?.journal(of: path)
    journal?.lock()
    defer { journal?.unlock() }
    let current = try contents(of: path)
    var edits = source.recorded.map(\.edit)
    if current != source.original {
      guard let journal, let written = journal.edits(of: source.original, that: current) else {
        throw AssertionError(
          "The file was modified after the snapshot was taken and is left unchanged. Run the test again.")
      }
      let others = written.filter { !edits.contains($0) }
      guard !others.contains(where: { other in edits.contains { $0.range == other.range } }) else {
        throw AssertionError("Another test process recorded a different text for it. Run the test again.")
      }
      edits += others
    }
    try ReferenceFiles.replace(path, with: Data(applying(edits, to: source.original)))
    journal?.write(source.original, edits)
  }

  private func contents(of path: String) throws(AssertionError) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw AssertionError("Cannot read the source \(path): \(error.localizedDescription)")
    }
  }
}

/// A source with parts of it replaced, from the last to the first, so that the places of the others stay.
func applying(_ edits: [SourceEdit], to source: [UInt8]) -> [UInt8] {
  var result = source
  for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
    result.replaceSubrange(edit.range, with: edit.replacement)
  }
  return result
}
