internal import Foundation

/// Rewrites the source files in which inline snapshots are recorded.
///
/// Each file is read once, as it was compiled; all that is recorded is put into that, so that lines and columns keep their
/// meaning. After each record the file is replaced, whole, unless somebody else has written to it since.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class InlineSources: @unchecked Sendable {
  static let shared = InlineSources()

  private struct Source {
    let original: [UInt8]
    let tokens: [SwiftToken]
    var edits: [SourceEdit] = []
    var written: Data
  }

  private let lock = NSLock()
  private var sources: [String: Source] = [:]

  /// Puts a text into the closure of a call.
  ///
  /// - Throws: ``AssertionError`` when the source is not the one that was compiled, when the call got another text before, or
  ///   when the file cannot be written; then it is as it was.
  func record(
    _ text: String, over expected: String?, in path: String, line: UInt, column: UInt, function: String,
    descriptor: InlineSnapshotSyntaxDescriptor
  ) throws(AssertionError) {
    lock.lock()
    defer { lock.unlock() }
    var source: Source
    if let known = sources[path] { source = known } else { source = try load(path) }
    let call = try InlineCall(
      in: source.original, tokens: source.tokens, line: line, column: column, function: function)
    let edit = try call.edit(newText: text, expected: expected, descriptor: descriptor)
    if let other = source.edits.first(where: { $0.range == edit.range }) {
      guard other == edit else {
        throw AssertionError(
          "This assertion is made more than once, with different texts, so there is no one text to record in its closure."
        )
      }
      return
    }
    guard try contents(of: path) == source.written else {
      throw AssertionError("The file was written to since the tests began, so it is not rewritten. Run the test again.")
    }
    source.edits.append(edit)
    source.written = Data(applying(source.edits, to: source.original))
    try ReferenceFiles.replace(path, with: source.written)
    sources[path] = source
  }

  private func load(_ path: String) throws(AssertionError) -> Source {
    let data = try contents(of: path)
    let bytes = Array(data)
    guard let tokens = SwiftLexer.tokens(of: bytes) else {
      throw AssertionError("The file has a literal or a comment without an end, so it is not rewritten: \(path)")
    }
    return Source(original: bytes, tokens: tokens, written: data)
  }

  private func contents(of path: String) throws(AssertionError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
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
