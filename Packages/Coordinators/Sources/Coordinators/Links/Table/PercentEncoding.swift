/// Which bytes stand for themselves in a part of a link; two words for the 128 of ASCII.
struct ByteSet: Sendable {
  private let low: UInt64
  private let high: UInt64

  init(_ text: String) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
    (self.low, self.high) = (low, high)
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
  }

  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  /// Without `:` and `@`, which would mean something in the first segment, where others have a host.
  static let path = ByteSet(unreserved + "!$&'()*+,;=")
  /// Without `+`, which many read as a space.
  static let query = ByteSet(unreserved + "!$'()*,;:@/?")
}

/// The bytes that percent-encoded ones stand for.
///
/// - Returns: `nil` and the offset of the percent sign when it is not followed by two hexadecimal digits.
func percentDecoded(
  _ bytes: [UInt8], _ range: ByteRange, plusIsSpace: Bool, malformedAt: inout Int
) -> [UInt8]? {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(range.end - range.start)
  var index = range.start
  while index < range.end {
    let byte = bytes[index]
    if byte == UInt8(ascii: "%") {
      guard index + 2 < range.end, let high = hexadecimalDigit(bytes[index + 1]),
        let low = hexadecimalDigit(bytes[index + 2])
      else {
        malformedAt = index
        return nil
      }
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
  }
  return decoded
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// A digit of a percent-encoding, in upper case as the standard asks.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
