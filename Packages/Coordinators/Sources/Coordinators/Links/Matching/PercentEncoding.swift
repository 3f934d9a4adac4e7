package struct LinkCharacters: Sendable {
  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  /// The characters of a path, without `:` and `@`, which have a meaning in the first segment.
  static let path = LinkCharacters(unreserved + "!$&'()*+,;=", isPath: true)
  /// The characters of a query and a fragment, without `+`, which many parsers read as a space.
  static let query = LinkCharacters(unreserved + "!$'()*,;:@/?")

  private var isAllowed = Array(repeating: false, count: 256)
  private let isPath: Bool

  package init(_ characters: String, isPath: Bool = false) {
    self.isPath = isPath
    for byte in characters.utf8 { isAllowed[Int(byte)] = true }
  }

  package func encoding(_ text: String) -> String {
    // URL parsers resolve the segments `.` and `..`, so their dots are encoded.
    if isPath, text == "." || text == ".." { return text.replacing(".", with: "%2E") }
    if text.utf8.allSatisfy({ isAllowed[Int($0)] }) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      isAllowed[Int(byte)] ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// `removingPercentEncoding` would also remove a byte order mark at the beginning.
  package init?(percentEncoded bytes: some Sequence<UInt8>) {
    var decoded: [UInt8] = []
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
      decoded.append(UInt8(high << 4 | low))
    }
    self.init(validating: decoded, as: UTF8.self)
  }
}

extension UInt8 {
  var hexDigitValue: Int? { Character(Unicode.Scalar(self)).hexDigitValue }
}
