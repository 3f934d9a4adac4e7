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
      case 27 where numbers.count == 3: return character(numbers[2], modifiers) ?? unrecognized
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
