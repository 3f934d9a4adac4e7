import Foundation
import TestSupport

/// Two texts to compare, by number of lines, kind of lines and number of changes.
struct TextPair: Hashable, Sendable {
  enum Kind: String, CaseIterable {
    case unique = "unique"
    case halfRepeating = "half repeating"
  }

  enum Change: String, CaseIterable {
    case none = "0 changed"
    case one = "1 changed"
    case hundredth = "1 % changed"
    case half = "50 % changed"
  }

  var kind: Kind
  var lines: Int
  var change: Change

  var name: String { "\(lines) \(kind.rawValue), \(change.rawValue)" }

  static let all = Kind.allCases.flatMap { kind in
    [100, 1_000, 10_000, 50_000].flatMap { lines in
      Change.allCases.map { TextPair(kind: kind, lines: lines, change: $0) }
    }
  }

  /// Makes the two texts, which are the same in every run.
  func makeTexts() -> (old: String, new: String) {
    var numbers = SeededGenerator(seed: UInt64(lines))
    let repeated = ["  }", "", "  {", "  return nil", "    end", "  )", "    break", "  // MARK: -"]
    let old = (0..<lines).map { line in
      kind == .halfRepeating && line % 2 == 1
        ? repeated[Int.random(in: 0..<8, using: &numbers)] : "  line \(line) has the value \(numbers.next() >> 24)"
    }
    var new = old
    for line in changedLines(&numbers) { new[line] = "  changed \(line) to \(numbers.next() >> 24)" }
    return (old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
  }

  private func changedLines(_ numbers: inout SeededGenerator) -> ArraySlice<Int> {
    switch change {
    case .none: []
    case .one: [lines / 2]
    case .hundredth: (0..<lines).shuffled(using: &numbers)[..<(lines / 100)]
    case .half: (0..<lines).shuffled(using: &numbers)[..<(lines / 2)]
    }
  }
}

/// The texts and their files, made on first use.
let textPairs = TextPairs()

/// `@unchecked Sendable`: `lock` guards all mutable state.
final class TextPairs: @unchecked Sendable {
  typealias Files = (old: URL, new: URL)
  typealias Texts = (old: String, new: String)

  private let lock = NSLock()
  private var files: [TextPair: Files] = [:]
  private var texts: [TextPair: Texts] = [:]
  private lazy var folder = makeFolder()

  /// Returns the files of the texts, which are removed at exit.
  func files(of pair: TextPair) -> Files {
    lock.withLock {
      if let known = files[pair] { return known }
      let texts = pair.makeTexts()
      let made = (
        old: folder.appending(path: "\(pair.name), old.txt"), new: folder.appending(path: "\(pair.name), new.txt")
      )
      do {
        try Data(texts.old.utf8).write(to: made.old)
        try Data(texts.new.utf8).write(to: made.new)
      } catch {
        fail("Cannot write to \(folder.path): \(error.localizedDescription) Set TMPDIR to a folder with free space.")
      }
      files[pair] = made
      return made
    }
  }

  func texts(of pair: TextPair) -> Texts {
    lock.withLock {
      let known = texts[pair] ?? pair.makeTexts()
      texts[pair] = known
      return known
    }
  }

  private func makeFolder() -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "line-diff-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      fail("Cannot create \(folder.path): \(error.localizedDescription) Set TMPDIR to a writable folder.")
    }
    atexit { textPairs.removeFiles() }
    return folder
  }

  private func removeFiles() {
    lock.withLock { try? FileManager.default.removeItem(at: folder) }
  }
}
