/// Decodes UTF-8 a byte at a time; a byte that cannot go on makes U+FFFD of what it follows.
struct UTF8Decoder {
  private var value: UInt32 = 0
  private var missing = 0
  /// Which bytes may come next: narrower after some first bytes, so that no overlong form or surrogate gets through.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  var isWaiting: Bool { missing > 0 }

  /// The scalars that this byte completes: none, one, or U+FFFD and the byte's own.
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

  /// Gives up what is pending; true when there was something.
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
