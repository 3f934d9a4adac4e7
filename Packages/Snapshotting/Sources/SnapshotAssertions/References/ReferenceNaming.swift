/// The names of reference files, as functions of what is asserted.
///
/// A name that swift-snapshot-testing would keep as it is gives the same file here. It turns others into fewer characters, so
/// that different names may meet in one file; those have a second, escaped form here, which no other name has. The characters
/// `~` and `@` are in no file of the first kind.
enum ReferenceNaming {
  /// A name as swift-snapshot-testing writes it: runs of anything but letters, digits, marks and `_` become one `-`, and
  /// one of those is cut off at either end.
  static func sanitized(_ name: String) -> String {
    if name.utf8.allSatisfy(isPlain) { return name }
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if isWord(scalar) { scalars.append(scalar) } else if scalars.last != "-" { scalars.append("-") }
    }
    // A `-` of the name itself is no word either, so there are no two in a row.
    if scalars.first == "-" { scalars.removeFirst() }
    if scalars.last == "-" { scalars.removeLast() }
    return String(scalars)
  }

  /// A name as it is, with `~` and two digits for each byte that a file name should not have.
  ///
  /// Different names have different forms, also when they look the same, as é as one code point and as two do. A long one
  /// ends in a number that is made from the whole.
  static func escaped(_ name: String) -> String {
    if name.isEmpty { return "~" }
    var text: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte) || byte == UInt8(ascii: "-") { text.append(byte) } else { text += hexadecimal(byte) }
    }
    let limit = 120
    guard text.count > limit else { return String(decoding: text, as: UTF8.self) }
    return String(decoding: text.prefix(limit), as: UTF8.self) + "~~" + fingerprint(of: name)
  }

  /// Whether a name keeps its meaning in the old form.
  static func isKept(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 120
      && name.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
      && name.utf8.elementsEqual(sanitized(name).utf8)
  }

  /// The most bytes that a file system takes for a name.
  private static let longestFileName = 255

  /// The name of a file: the function, who else it depends on, the assertion, and the path extension.
  ///
  /// One that no file system takes is cut, and has a number that is made from the whole.
  static func fileName(
    function: String, qualifiers: [String] = [], assertion: String, pathExtension: String?
  ) -> String {
    let ending = pathExtension.map { ".\($0)" } ?? ""
    let stem = ([function] + qualifiers).joined(separator: "@") + "." + assertion
    guard stem.utf8.count + ending.utf8.count > longestFileName else { return stem + ending }
    var kept = stem.unicodeScalars.prefix(200)
    while kept.reduce(0, { $0 + UTF8.width($1) }) > 200 { kept.removeLast() }
    return String(kept) + "~~" + fingerprint(of: stem) + ending
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isPlain(UInt8(truncatingIfNeeded: scalar.value)) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: return true
    default: return scalar.properties.isAlphabetic || scalar.value == 0x200C || scalar.value == 0x200D
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "~"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// A number that depends on nothing but the text: FNV-1a.
  static func fingerprint(of text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 36)
  }
}

/// A string that is compared by its bytes, as the names of files are.
///
/// `String` takes the two forms of é for the same.
struct ByteString: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
