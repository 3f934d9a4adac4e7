/// A state machine that converts the bytes of a terminal into keys.
///
/// Every special key starts with the byte of Esc. While `isWaiting`, call `timeout()` when no byte has arrived for a short
/// time (50 ms is usual), to resolve the pending bytes. Malformed UTF-8 becomes U+FFFD and an unknown sequence becomes
/// `.unrecognized`. A paste is returned as a whole, when its end marker arrives.
///
/// ```swift
/// var parser = KeyParser()
/// parser.feed([0x1B, 0x5B])  // []
/// parser.feed([0x41])        // [.key(.up)]
/// ```
public struct KeyParser: Sendable {
  private enum State {
    case ground
    case escape
    /// After `ESC [`, with the bytes received since.
    case control([UInt8])
    /// After `ESC O`, with the bytes received since.
    case single([UInt8])
    case paste
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var state = State.ground
  /// The bytes of an incomplete character.
  private var character: [UInt8] = []
  private var pendingAlt = false
  private var paste: [UInt8] = []

  public init() {}

  /// Whether bytes are pending that a timeout resolves; `false` during a paste.
  public var isWaiting: Bool {
    switch state {
    case .ground: !character.isEmpty
    case .paste: false
    case .escape, .control, .single: true
    }
  }

  /// Parses the next bytes and returns the completed events, in order.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    for byte in bytes { take(byte, into: &events) }
    return events
  }

  /// Resolves the pending bytes when no more bytes arrive, and returns their events.
  ///
  /// A lone Esc is the Esc key, an incomplete sequence is `.unrecognized`, and an incomplete character is U+FFFD. An
  /// incomplete paste is returned, too: call this at the end of the input.
  public mutating func timeout() -> [InputEvent] {
    var events: [InputEvent] = []
    let pending = state
    state = .ground
    switch pending {
    case .ground: finishCharacter(into: &events)
    case .escape: events.append(.key(.escape))
    case .control(let bytes):
      events.append(bytes.isEmpty ? .key(.character("["), .alt) : .unrecognized([0x1B, 0x5B] + bytes))
    case .single(let bytes):
      events.append(bytes.isEmpty ? .key(.character("O"), .alt) : .unrecognized([0x1B, 0x4F] + bytes))
    case .paste:
      events.append(.paste(String(decoding: paste, as: UTF8.self)))
      paste = []
    }
    return events
  }

  private mutating func take(_ byte: UInt8, into events: inout [InputEvent]) {
    switch state {
    case .ground: takeText(byte, into: &events)
    case .escape: takeAfterEscape(byte, into: &events)
    case .control(let bytes): takeControl(byte, after: bytes, into: &events)
    case .single(let bytes): takeSingle(byte, after: bytes, into: &events)
    case .paste:
      paste.append(byte)
      guard byte == Self.pasteEnd.last, paste.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return }
      paste.removeLast(Self.pasteEnd.count)
      events += timeout()
    }
  }

  private mutating func takeText(_ byte: UInt8, into events: inout [InputEvent]) {
    let isContinuation = byte & 0xC0 == 0x80
    if !isContinuation { finishCharacter(into: &events) }
    if byte == 0x1B {
      state = .escape
      return
    }
    character.append(byte)
    let length =
      switch character[0] {
      case 0xC0...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF7: 4
      default: 1
      }
    if character.count == length { finishCharacter(into: &events) }
  }

  private mutating func finishCharacter(into events: inout [InputEvent]) {
    for scalar in String(decoding: character, as: UTF8.self).unicodeScalars {
      var press = KeyTable.press(scalar)
      if pendingAlt { press.modifiers.insert(.alt) }
      pendingAlt = false
      events.append(.key(press))
    }
    character = []
  }

  private mutating func takeAfterEscape(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case 0x5B: state = .control([])
    case 0x4F: state = .single([])
    case 0x1B: events.append(.key(.escape))
    default:
      state = .ground
      pendingAlt = true
      takeText(byte, into: &events)
    }
  }

  private mutating func takeControl(_ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent]) {
    switch byte {
    case 0x20...0x3F: state = .control(bytes + [byte])
    // The Linux console sends `ESC [ [ A` for F1.
    case 0x5B where bytes.isEmpty: state = .control([byte])
    case 0x40...0x7E:
      state = .ground
      let sequence = ControlSequence(parameters: bytes, final: byte)
      if sequence.startsPaste { state = .paste } else if let event = sequence.event { events.append(event) }
    default:
      // Not a byte of a control sequence: the bytes so far are unrecognized, and this byte is parsed separately.
      state = .ground
      events.append(.unrecognized([0x1B, 0x5B] + bytes))
      take(byte, into: &events)
    }
  }

  private mutating func takeSingle(_ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent]) {
    switch byte {
    case 0x30...0x39 where bytes.count < 2:
      state = .single(bytes + [byte])
    case 0x20...0x7E:
      state = .ground
      let modifiers = ControlSequence.modifiers(bytes.reduce(0) { $0 * 10 + Int($1) - 0x30 })
      if let key = KeyTable.letter(byte) {
        events.append(.key(key, modifiers))
      } else {
        events.append(.unrecognized([0x1B, 0x4F] + bytes + [byte]))
      }
    default:
      state = .ground
      events.append(.unrecognized([0x1B, 0x4F] + bytes))
      take(byte, into: &events)
    }
  }
}

/// A complete control sequence, `ESC [ parameters final`, and its event.
struct ControlSequence {
  var parameters: [UInt8]
  var final: UInt8

  /// The event of the sequence, or `nil` for the end of a paste without its start, which is ignored.
  var event: InputEvent? {
    guard let numbers else { return unrecognized }
    let modifiers = Self.modifiers(numbers.count > 1 ? numbers[1] : 0)
    switch final {
    case UInt8(ascii: "~"):
      switch numbers.first {
      case 201: return nil
      default: return numbers.first.flatMap(KeyTable.tilde).map { .key($0, modifiers) } ?? unrecognized
      }
    case UInt8(ascii: "u"):
      return numbers.first.flatMap { character($0, modifiers) } ?? unrecognized
    case UInt8(ascii: "Z") where numbers.isEmpty:
      return .key(.tab, .shift)
    default:
      guard numbers.isEmpty || numbers[0] <= 1, let key = KeyTable.letter(final) else { return unrecognized }
      return .key(key, modifiers)
    }
  }

  var startsPaste: Bool { final == UInt8(ascii: "~") && parameters == Array("200".utf8) }

  /// Returns the modifiers of xterm's parameter: a bit for each modifier, plus one.
  static func modifiers(_ parameter: Int) -> KeyModifiers {
    guard parameter > 1 else { return [] }
    let bits = UInt8(truncatingIfNeeded: parameter - 1)
    return KeyModifiers(rawValue: bits).intersection([.shift, .alt, .control])
  }

  private var unrecognized: InputEvent { .unrecognized([0x1B, 0x5B] + parameters + [final]) }

  /// The parameters as numbers without sub-parameters after a colon, or `nil` when one is not a number of at most seven digits.
  private var numbers: [Int]? {
    if parameters.isEmpty { return [] }
    var result: [Int] = []
    for field in parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      let digits = field.prefix { $0 != UInt8(ascii: ":") }
      guard digits.count <= 7, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      result.append(digits.reduce(0) { $0 * 10 + Int($1) - 0x30 })
    }
    return result
  }

  private func character(_ code: Int, _ modifiers: KeyModifiers) -> InputEvent? {
    guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
    var press = KeyTable.press(scalar)
    press.modifiers.formUnion(modifiers)
    return .key(press)
  }
}

enum KeyTable {
  /// Returns the key of a typed scalar; control characters are letters with control held.
  static func press(_ scalar: Unicode.Scalar) -> KeyPress {
    switch scalar.value {
    case 0x00: KeyPress(.character(" "), .control)
    case 0x08, 0x7F: KeyPress(.backspace)
    case 0x09: KeyPress(.tab)
    case 0x0A, 0x0D: KeyPress(.enter)
    case 0x01...0x1A: KeyPress(.character(character(scalar.value + 0x60)), .control)
    case 0x1B: KeyPress(.escape)
    case 0x1C...0x1F: KeyPress(.character(character(scalar.value + 0x40)), .control)
    default: KeyPress(.character(Character(scalar)))
    }
  }

  /// Returns the key of `ESC [ 1 ; m letter`, `ESC [ letter` and `ESC O letter`.
  static func letter(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "P"): .function(1)
    case UInt8(ascii: "Q"): .function(2)
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "S"): .function(4)
    default: nil
    }
  }

  /// Returns the key of `ESC [ number ~`.
  static func tilde(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  private static func character(_ value: UInt32) -> Character {
    Character(Unicode.Scalar(value) ?? "\u{FFFD}")
  }
}
