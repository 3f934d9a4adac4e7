import Testing

@testable import Terminal

@Suite("Key parser")
struct KeyParserTests {
  @Test(
    "Bytes are parsed as keys",
    arguments: [
      ("a", .key(.character("a"))), ("鳥", .key(.character("鳥"))), ("🐧", .key(.character("🐧"))),
      ("\r", .key(.enter)), ("\n", .key(.enter)), ("\t", .key(.tab)), ("\u{7F}", .key(.backspace)),
      ("\u{8}", .key(.backspace)), ("\u{3}", .key(.character("c"), .control)), ("\0", .key(.character(" "), .control)),
      ("\u{1C}", .key(.character("\\"), .control)), ("\u{1B}a", .key(.character("a"), .alt)),
      ("\u{1B}é", .key(.character("é"), .alt)), ("\u{1B}\u{7F}", .key(.backspace, .alt)),
      ("\u{1B}\u{4}", .key(.character("d"), [.alt, .control])),
      ("\u{1B}[A", .key(.up)), ("\u{1B}OB", .key(.down)), ("\u{1B}[1;2C", .key(.right, .shift)),
      ("\u{1B}[1;3D", .key(.left, .alt)), ("\u{1B}[1;5H", .key(.home, .control)),
      ("\u{1B}[1;8F", .key(.end, [.shift, .alt, .control])), ("\u{1B}[1~", .key(.home)), ("\u{1B}[8~", .key(.end)),
      ("\u{1B}[2~", .key(.insert)), ("\u{1B}[3;5~", .key(.delete, .control)), ("\u{1B}[5~", .key(.pageUp)),
      ("\u{1B}[6~", .key(.pageDown)), ("\u{1B}[Z", .key(.tab, .shift)),
      ("\u{1B}OP", .key(.function(1))), ("\u{1B}[1;5S", .key(.function(4), .control)),
      ("\u{1B}[[E", .unrecognized(Array("\u{1B}[[E".utf8))),
      ("\u{1B}[15~", .key(.function(5))), ("\u{1B}[17~", .key(.function(6))), ("\u{1B}[24~", .key(.function(12))),
      ("\u{1B}[34~", .key(.function(20))), ("\u{1B}O5P", .key(.function(1), .control)),
      ("\u{1B}[97;5u", .key(.character("a"), .control)),
      ("\u{1B}[1;5:1A", .key(.up, .control)),
      ("\u{1B}[200~a\u{1B}[A\nb\u{1B}[201~", .paste("a\u{1B}[A\nb")), ("\u{1B}[200~\u{1B}[201~", .paste("")),
      ("\u{1B}[99~", .unrecognized(Array("\u{1B}[99~".utf8))), ("\u{1B}[?1x", .unrecognized(Array("\u{1B}[?1x".utf8))),
      ("\u{1B}[99999999999999999999~", .unrecognized(Array("\u{1B}[99999999999999999999~".utf8))),
      ("\u{1B}[1114112u", .unrecognized(Array("\u{1B}[1114112u".utf8))),
    ] as [(String, InputEvent)])
  func bytesAreParsedAsKeys(bytes: String, event: InputEvent) {
    var parser = KeyParser()
    #expect(parser.feed(bytes.utf8) == [event])
    #expect(!parser.isWaiting)
  }

  @Test(
    "A timeout resolves pending bytes",
    arguments: [
      ("\u{1B}", .key(.escape)), ("\u{1B}[", .key(.character("["), .alt)), ("\u{1B}O", .key(.character("O"), .alt)),
      ("\u{1B}[1;", .unrecognized(Array("\u{1B}[1;".utf8))), ("\u{1B}[[", .unrecognized(Array("\u{1B}[[".utf8))),
    ] as [(String, InputEvent)])
  func timeoutResolvesPendingBytes(bytes: String, event: InputEvent) {
    var parser = KeyParser()
    #expect(parser.feed(bytes.utf8) == [])
    #expect(parser.isWaiting)
    #expect(parser.timeout() == [event])
    #expect(!parser.isWaiting)
    #expect(parser.feed("x".utf8) == [.key(.character("x"))])
  }

  @Test(
    "Malformed UTF-8 becomes U+FFFD, and the following bytes are parsed",
    arguments: [
      ([0xFF], 1), ([0x80], 1), ([0xC0, 0xAF], 2), ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3),
      ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE2, 0x82], 1), ([0xF0, 0x9F, 0x90], 1), ([0xF8], 1),
    ] as [([UInt8], Int)])
  func malformedUTF8BecomesReplacement(bytes: [UInt8], replacements: Int) {
    var parser = KeyParser()
    let expected = Array(repeating: InputEvent.key(.character("\u{FFFD}")), count: replacements)
    #expect(parser.feed(bytes + [0x61]) == expected + [.key(.character("a"))])
    #expect(String(decoding: bytes, as: UTF8.self).unicodeScalars.count == replacements)
  }

  @Test("A long paste is one event, whose bytes are never keys, also after a pause")
  func longPasteIsOneEvent() {
    var parser = KeyParser()
    let text = String(repeating: "鳥\r", count: 50_000)
    #expect(parser.feed("\u{1B}[200~\(text)".utf8) == [])
    #expect(!parser.isWaiting)
    #expect(parser.feed("\u{3}\u{1B}[201~a".utf8) == [.paste(text + "\u{3}"), .key(.character("a"))])
  }

  @Test("A paste without an end marker is delivered at the end of the input")
  func pasteWithoutEndMarkerIsDelivered() {
    var parser = KeyParser()
    #expect(parser.feed("\u{1B}[200~abc\u{1B}[2".utf8) == [])
    #expect(parser.timeout() == [.paste("abc\u{1B}[2")])
    #expect(parser.feed("\u{3}".utf8) == [.key(.character("c"), .control)])
  }

  private static let pieces = [
    "\u{1B}", "[", "O", "A", "~", ";", "1", "5", "200~", "201~", "\u{1B}[200~", "\u{1B}[201~", "a", "鳥", "🐧", "]",
    "\u{7}",
  ]

  private func bytes(_ random: inout Seeded) -> [UInt8] {
    (0..<random.number(0...40)).flatMap { _ in
      random.number(0...3) == 0 ? [UInt8(random.number(0...255))] : Array(random.one(of: Self.pieces).utf8)
    }
  }

  @Test("The division of the bytes into pieces does not affect the events", arguments: 0..<300)
  func chunksDoNotAffectEvents(seed: Int) {
    var random = Seeded(seed)
    let bytes = bytes(&random)
    var whole = KeyParser()
    var cut = KeyParser()
    var events: [InputEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = random.number(1...min(4, rest.count))
      events += cut.feed(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(whole.feed(bytes) == events, "seed \(seed)")
    #expect(whole.timeout() == cut.timeout() && !whole.isWaiting, "seed \(seed)")
  }
}
