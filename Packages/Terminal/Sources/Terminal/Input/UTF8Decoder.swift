/// Decodes UTF-8 a byte at a time; an unexpected byte replaces the incomplete character before it with U+FFFD.
struct UTF8Decoder {
  private var value: UInt32 = 0
  private var missing = 0
  /// The valid range of the next byte, narrower after some first bytes to exclude overlong forms and surrogates.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  var isWaiting: Bool { missing > 0 }

  /// Returns the scalars that this byte completes: at most one, or U+FFFD and the byte's own scalar.
  mutating func decode(_ byte: UInt8) -> [Unicode.Scalar] {
    guard missing > 0 else { return begin(byte) }
    guard allowed.contains(byte) else {
      missing = 0
      return ["\u{FFFD}"] + begin(byte)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    allowed = 0x80...0xBF
    return missing == 0 ? [Unicode.Scalar(value) ?? "\u{FFFD}"] : []
  }

  /// Discards an incomplete character, and returns whether one was pending.
  mutating func finish() -> Bool {
    defer { missing = 0 }
    return missing > 0
  }

  private mutating func begin(_ byte: UInt8) -> [Unicode.Scalar] {
    allowed = 0x80...0xBF
    switch byte {
    case 0x00...0x7F: return [Unicode.Scalar(byte)]
    case 0xC2...0xDF: (value, missing) = (UInt32(byte & 0x1F), 1)
    case 0xE0...0xEF:
      (value, missing) = (UInt32(byte & 0x0F), 2)
      if byte == 0xE0 { allowed = 0xA0...0xBF }
      if byte == 0xED { allowed = 0x80...0x9F }
    case 0xF0...0xF4:
      (value, missing) = (UInt32(byte & 0x07), 3)
      if byte == 0xF0 { allowed = 0x90...0xBF }
      if byte == 0xF4 { allowed = 0x80...0x8F }
    default: return ["\u{FFFD}"]
    }
    return []
  }
}
