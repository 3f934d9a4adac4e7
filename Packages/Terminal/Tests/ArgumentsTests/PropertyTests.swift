import Arguments
import TestSupport
import Testing

@Suite("Properties of parsing")
struct PropertyTests {
  static let vocabulary = [
    "birds", "order", "take", "snapshot", "compare", "open", "tour", "help", "--json", "-q", "--seed", "7", "--color",
    "always", "--color=never", "--save", "-s", "-sx", "--server", "u", "-o", "-5", "--", "-", "", "--fast", "-fv",
    "--no-pictures", "-fp", "--faults", "a=b", "--faults=-x", "--offset=-3", "-o-4", "--output=--", "=", "--=", "-=",
    "-é", "-\u{301}", "--\u{301}", "\u{FFFD}\u{FFFD}", "--save=\u{0}", "\u{1F1E9}\u{1F1EA}", "-\u{1F1E9}", "---",
  ]

  @Test("Any command line gives an output or an interruption with a text, and never traps", arguments: 0..<20)
  func parsingNeverTraps(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let words = Self.words(using: &generator)
      switch demo.parse(words) {
      case .success: break
      case .failure(let interruption):
        #expect(interruption.text(width: Int(generator.next() % 100)).hasSuffix("\n"), "seed \(seed): \(words)")
      }
    }
  }

  @Test("Any command line has completions in the format of each shell", arguments: 0..<20)
  func completingNeverTraps(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for shell in ["bash", "zsh", "fish", "other"] {
      let words = Self.words(using: &generator)
      guard case .failure(.completionScript(let answer)) = demo.parse(["---complete", shell] + words) else {
        Issue.record("seed \(seed): \(words)")
        return
      }
      let paths = answer.prefix { !$0.isNewline }
      #expect(["none", "files", "directories"].contains(paths), "seed \(seed): \(words)")
    }
  }

  static func words(using generator: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      if Bool.random(using: &generator) { return vocabulary.randomElement(using: &generator) ?? "" }
      let prefix = ["", "-", "--", "--save=", "-s"].randomElement(using: &generator) ?? ""
      let scalars = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) ?? "\u{FFFD}"
      }
      return prefix + String(String.UnicodeScalarView(scalars))
    }
  }
}
