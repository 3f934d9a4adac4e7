/// The mapping from bytes to keys.
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

  /// Returns the key of `ESC [ 1 ; m letter` and `ESC [ letter`.
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

  /// Returns the key of `ESC O letter`; the keypad's digits and signs become the characters printed on the keys.
  static func single(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "I"): .tab
    case UInt8(ascii: "X"): .character("=")
    case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(character(UInt32(final) - 0x40))
    default: letter(final)
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

  /// Returns the key of `ESC [ [ letter`.
  static func console(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A")...UInt8(ascii: "E"): .function(Int(final) - 0x40)
    default: nil
    }
  }

  private static func character(_ value: UInt32) -> Character {
    Character(Unicode.Scalar(value) ?? "\u{FFFD}")
  }
}
