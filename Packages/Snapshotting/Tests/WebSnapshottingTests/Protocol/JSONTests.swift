import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("JSON")
struct JSONTests {
  @Test("encoded values are decoded as the same values")
  func roundTrip() throws {
    // Foundation removes a byte order mark.
    let text = Generator<String>.unicodeString.map { $0.replacing("\u{FEFF}", with: "") }
    let leaf: Generator<JSONValue> = .oneOf([
      .always(.null), Generator<Bool>.bool.map { .bool($0) }, text.map { .string($0) },
      Generator<Int>.int(in: -1_000_000...1_000_000).map { .number(Double($0)) },
      Generator<Int>.int(in: -1_000_000...1_000_000).map { .number(Double($0) / 8) },
    ])
    let value = (0..<4).reduce(leaf) { inner, _ in
      .oneOf([
        leaf, inner.array(count: 0...4).map { .array($0) },
        Generator.zip(text, inner).array(count: 0...4).map { members in
          .object(Dictionary(members.map { ($0.0, $0.1) }) { $1 })
        },
      ])
    }
    try checkProperty("decoding reverts encoding", value) { value in
      try JSONValue(parsing: value.data) == value
    }
    #expect(try JSONValue(parsing: JSONValue.array([.number(.infinity), .number(.nan)]).data) == [.null, .null])
  }

  @Test(
    "malformed JSON is an error",
    arguments: ["", " ", "{", "{\"a\"}", "tru", "\"", "\"\\x\"", "\"\\u12\"", "1 2", "\"\u{1}\"", "{a:1}", "]", "--1"])
  func malformed(_ text: String) {
    #expect(throws: (any Error).self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("an unpaired surrogate, which JavaScript sends, becomes a replacement character")
  func surrogates() throws {
    #expect(try JSONValue(parsing: Array(#""a\ud83d""#.utf8)) == "a\u{FFFD}")
    #expect(try JSONValue(parsing: Array(#""\ude00\ud83d\ude00""#.utf8)) == "\u{FFFD}😀")
    #expect(try JSONValue(parsing: Array(#""\ud83d\u0041\\ud83d""#.utf8)) == "\u{FFFD}A\\ud83d")
  }

  @Test("nesting that would exhaust the stack is an error")
  func depth() throws {
    #expect(throws: (any Error).self) {
      try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 100_000))
    }
  }
}
