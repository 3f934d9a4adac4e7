import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("JSON")
struct JSONTests {
  @Test("What is written reads back as the same value")
  func roundTrip() throws {
    let leaf: Generator<JSONValue> = .oneOf([
      .always(.null), Generator<Bool>.bool.map { .bool($0) }, Generator<String>.unicodeString.map { .string($0) },
      Generator<Int>.int(in: -1_000_000...1_000_000).map { .number(Double($0)) },
      Generator<Double>.double(in: -1e9...1e9).map { .number($0) },
    ])
    let value = Generator<JSONValue>.recursive(leaf, depth: 4) { inner in
      .oneOf([
        inner.array(count: 0...4).map { .array($0) },
        Generator.zip(Generator<String>.unicodeString, inner).array(count: 0...4).map { members in
          .object(Dictionary(members.map { ($0.0, $0.1) }) { $1 })
        },
      ])
    }
    try checkProperty("parse(bytes) is the value", value) { value in
      try JSONParser.parse(value.bytes) == value
    }
  }

  @Test(
    "What is no JSON is an error that says where",
    arguments: [
      "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "tru", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "1 2",
      "-",
      "1e999", "\"\u{1}\"", "{a:1}", "]", "--1",
    ])
  func malformed(_ text: String) {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test("Half a surrogate pair, which JavaScript sends, is a replacement character and no error")
  func surrogates() throws {
    #expect(try JSONParser.parse(Array(#""a\ud83d""#.utf8)) == "a\u{FFFD}")
    #expect(try JSONParser.parse(Array(#""\ude00\ud83d\ude00""#.utf8)) == "\u{FFFD}😀")
    #expect(try JSONParser.parse(Array(#""\ud83d\u0041""#.utf8)) == "\u{FFFD}A")
  }

  @Test("Escapes are what they stand for")
  func escapes() throws {
    #expect(try JSONParser.parse(Array(#""\n\t\r\b\f\"\\\/\u00e9é""#.utf8)) == "\n\t\r\u{8}\u{C}\"\\/éé")
  }

  @Test("Nesting that would use up the stack is an error")
  func depth() throws {
    let fine = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(throws: Never.self) { try JSONParser.parse(Array(fine.utf8)) }
    let tooDeep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONParser.Failure(offset: 512, expected: "less nesting")) { try JSONParser.parse(tooDeep) }
  }
}
