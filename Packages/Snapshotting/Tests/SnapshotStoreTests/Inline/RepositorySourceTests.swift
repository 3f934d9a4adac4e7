import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("All Swift files of the repository")
struct RepositorySourceTests {
  /// The Swift files of the repository, or of the package if it is used alone.
  private static let files: [(path: String, source: [UInt8])] = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 1...4 { package.deleteLastPathComponent() }
    let repository = package.deletingLastPathComponent().deletingLastPathComponent()
    let isInRepository = FileManager.default.fileExists(atPath: repository.appendingPathComponent("Packages").path)
    let root = isInRepository ? repository : package
    let enumerator = FileManager.default.enumerator(
      at: root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let files = (enumerator?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    return files.sorted { $0.path < $1.path }.compactMap { file in
      (try? Data(contentsOf: file)).map { (file.path, Array($0)) }
    }
  }()

  @Test("the brackets among the tokens of each file are balanced")
  func tokens() throws {
    #expect(Self.files.count > 50)
    for (path, source) in Self.files {
      let tokens = try #require(SwiftLexer.tokens(of: source), "\(path)")
      var stack: [UInt8] = []
      var isBalanced = true
      for token in tokens {
        guard case .sign(let sign) = token.kind else { continue }
        switch sign {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): stack.append(sign)
        case UInt8(ascii: ")"): isBalanced = stack.popLast() == UInt8(ascii: "(") && isBalanced
        case UInt8(ascii: "]"): isBalanced = stack.popLast() == UInt8(ascii: "[") && isBalanced
        case UInt8(ascii: "}"): isBalanced = stack.popLast() == UInt8(ascii: "{") && isBalanced
        default: break
        }
      }
      #expect(isBalanced && stack.isEmpty, "\(path)")
    }
  }

  @Test("a rewrite of any call changes the closure and nothing else")
  func rewrites() throws {
    let files = Self.files
    try checkProperty(
      "rewritten = before + closure(text) + after", count: 300, .int(in: 0...files.count - 1), .int(in: 0...9_999),
      .unicodeString
    ) { file, choice, text in
      let source = files[file].source
      guard let tokens = SwiftLexer.tokens(of: source) else { return false }
      let calls = tokens.indices.dropFirst().filter {
        tokens[$0].kind == .sign(UInt8(ascii: "(")) && tokens[$0 - 1].kind == .word
      }
      guard !calls.isEmpty else { return true }
      let offset = tokens[calls[choice % calls.count]].range.lowerBound
      let before = source[..<offset]
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = offset - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
      let call = try InlineCall(
        in: source, tokens: tokens, path: "x", line: UInt(line), column: UInt(column))
      // A call with closures is refused.
      guard let edit = try? call.edit(newText: text, expected: nil, target: .closure(InlineCall.Closure())) else {
        return true
      }
      guard let result = applying([edit], to: source) else { return false }
      let isElsewhereSame =
        result.starts(with: source[..<edit.range.lowerBound])
        && result.suffix(source.count - edit.range.upperBound).elementsEqual(source[edit.range.upperBound...])
      guard isElsewhereSame, let newTokens = SwiftLexer.tokens(of: result) else { return false }
      // The edit adds a brace, a literal of the text and a brace. The other tokens do not change.
      let new = newTokens.filter {
        $0.range.lowerBound >= edit.range.lowerBound
          && $0.range.upperBound <= edit.range.lowerBound + edit.replacement.count
      }
      return new.count == 3 && newTokens.count == tokens.count + 3
        && StringLiterals.value(of: new[1], in: result).map { Array($0.utf8) } == Array(text.utf8)
    }
  }
}
