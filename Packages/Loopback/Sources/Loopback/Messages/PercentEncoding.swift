/// Percent escapes in URLs.
enum PercentEncoding {
  /// The bytes with escapes undone, and whether every percent sign began a proper escape.
  static func decode(_ bytes: [UInt8]) -> (bytes: [UInt8], isWellFormed: Bool) {
    guard bytes.contains(UInt8(ascii: "%")) else { return (bytes, true) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var isWellFormed = true
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        if index + 2 < bytes.count, let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2]) {
          decoded.append(high << 4 | low)
          index += 3
          continue
        }
        isWellFormed = false
      }
      decoded.append(bytes[index])
      index += 1
    }
    return (decoded, isWellFormed)
  }

  /// A decoded path that is safe to take apart at its slashes and to look up in a folder, or `nil`.
  ///
  /// It rejects invalid escapes and UTF-8, an escaped slash (which would change the segments), a NUL or
  /// another control character, and the segments `.` and `..`, escaped or not.
  static func decodePath(_ bytes: [UInt8]) -> String? {
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    let (decoded, isWellFormed) = decode(bytes)
    let slashes = { (path: [UInt8]) in path.count { $0 == UInt8(ascii: "/") } }
    guard isWellFormed, slashes(bytes) == slashes(decoded), !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let path = String(validating: decoded, as: UTF8.self)
    else { return nil }
    let climbs = decoded.split(separator: UInt8(ascii: "/")).contains { segment in
      segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }
    return climbs ? nil : path
  }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
