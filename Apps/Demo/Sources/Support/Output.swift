internal import Foundation
internal import Terminal

/// Prints the results of a command on standard output, and its notes on standard error.
struct Output: Sendable {
  /// Whether results are lines of JSON.
  var json = false
  /// Whether notes are omitted.
  var quiet = false

  /// Prints a line of a result.
  func line(_ text: String) throws(TerminalError) { try TerminalDevice.standardOutput.write(escaped(text) + "\n") }

  /// Prints lines of a result at once.
  func lines(_ lines: [String]) throws(TerminalError) {
    try TerminalDevice.standardOutput.write(lines.map { escaped($0) + "\n" }.joined())
  }

  /// Prints a result: as JSON with `--json`, and otherwise as text.
  func result(_ value: some Encodable, _ text: String) throws(TerminalError) {
    if json { try TerminalDevice.standardOutput.write(jsonLine(value) + "\n") } else { try line(text) }
  }

  /// A failed write is ignored.
  func note(_ text: String) {
    if !quiet { warn(text) }
  }

  /// Prints a note that `--quiet` does not omit.
  func warn(_ text: String) { try? TerminalDevice.standardError.write(escaped(text) + "\n") }
}

/// Returns a text of a server or a command line with escaped control characters, line breaks and direction marks.
///
/// So different names look different, and no text controls the terminal.
func escaped(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  return text.unicodeScalars.map {
    isControl($0) ? #"\u{\#(String($0.value, radix: 16, uppercase: true))}"# : String($0)
  }.joined()
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
  case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
  default: false
  }
}

/// Encodes a value as one line of JSON.
///
/// Control characters and direction marks are escaped, so that a reader gets the original name and the terminal does not.
func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return "{}" }
  // JSON syntax is plain ASCII, so such a scalar is inside a string. All of them need at most four digits.
  return String(decoding: data, as: UTF8.self).unicodeScalars.map { scalar in
    guard isControl(scalar) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
  }.joined()
}
