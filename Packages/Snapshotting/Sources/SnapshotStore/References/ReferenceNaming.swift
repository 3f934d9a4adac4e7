/// The parts of the file names of references.
///
/// swift-snapshot-testing replaces characters, so different names can have the same sanitized form. Different names have
/// different escaped forms. A sanitized form never has `~`, two `-` in a row, or `-` at an end; `~~` is before the hash of a name that was
/// cut. `@` is before suites and before the arguments of a case.
package enum ReferenceNaming {
  /// Returns a name as swift-snapshot-testing writes it.
  ///
  /// A run of characters that are not letters, digits, marks or `_` becomes one `-`. A `-` at either end is removed.
  package static func sanitized(_ name: String) -> String {
    if name.utf8.allSatisfy(isPlain) { return name }
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if isWord(scalar) { scalars.append(scalar) } else if scalars.last != "-" { scalars.append("-") }
    }
    // Every `-` comes from a run, so no two are adjacent.
    if scalars.first == "-" { scalars.removeFirst() }
    if scalars.last == "-" { scalars.removeLast() }
    return String(scalars)
  }

  /// Returns a name with `~` and two digits for each byte that is not a letter, a digit, `_` or `-`.
  ///
  /// Different names have different forms, also the two Unicode forms of é. A long form ends in a hash of the name.
  package static func escaped(_ name: String) -> String {
    if name.isEmpty { return "~" }
    var text: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte) || byte == UInt8(ascii: "-") { text.append(byte) } else { text += hexadecimal(byte) }
    }
    let limit = 120
    guard text.count > limit else { return String(decoding: text, as: UTF8.self) }
    return String(decoding: text.prefix(limit), as: UTF8.self) + "~~" + Fingerprint.of(name)
  }

  package static func isKept(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 120
      && name.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
      && name.utf8.elementsEqual(sanitized(name).utf8)
  }

  /// Whether a file name has a mark of the escaped or the qualified form, of arguments or of a cut name.
  static func isSpecial(_ fileName: String) -> Bool {
    ["~", "@", "--", ".-", "-."].contains { fileName.contains($0) } || fileName.hasSuffix("-")
  }

  private static let longestFileName = 255

  /// Returns `function@qualifiers.assertion.pathExtension`.
  ///
  /// A name that is too long for a file system is cut, and ends in a hash of the whole name.
  static func fileName(
    function: String, qualifiers: [String] = [], assertion: String, pathExtension: String?
  ) -> String {
    let ending = pathExtension.map { ".\($0)" } ?? ""
    let stem = ([function] + qualifiers).joined(separator: "@") + "." + assertion
    guard stem.utf8.count + ending.utf8.count > longestFileName else { return stem + ending }
    var kept = stem.unicodeScalars.prefix(200)
    while kept.reduce(0, { $0 + UTF8.width($1) }) > 200 { kept.removeLast() }
    return String(kept) + "~~" + Fingerprint.of(stem) + ending
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
}
