/// Returns a text with symbols for control characters, which a terminal interprets, and for characters that change the
/// direction.
///
/// - Parameters:
///   - text: The text.
///   - whitespace: Whether spaces, tabs and characters without a width have symbols too.
///   - kept: Characters without a symbol.
package func visible(_ text: String, whitespace: Bool = false, except kept: Set<Unicode.Scalar> = []) -> String {
  if !whitespace, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
  return text.unicodeScalars.map { scalar in
    kept.contains(scalar) ? String(scalar) : symbol(for: scalar, whitespace: whitespace) ?? String(scalar)
  }.joined()
}

private func symbol(for scalar: Unicode.Scalar, whitespace: Bool) -> String? {
  switch scalar.value {
  case 0x20: return whitespace ? "·" : nil
  case 0x09: return whitespace ? "→" : "␉"
  case 0x00...0x1F: return Unicode.Scalar(0x2400 + scalar.value).map { String($0) }
  case 0x21...0x7E: return nil
  case 0x7F: return "␡"
  case 0xA0: return whitespace ? "⍽" : nil
  // These change the direction of the following text, and can make two texts look alike.
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return "<\(codePoint(scalar))>"
  default: break
  }
  switch scalar.properties.generalCategory {
  // Line and paragraph separators and C1 controls can end a line or begin a command in some terminals.
  case .control, .lineSeparator, .paragraphSeparator: return "<\(codePoint(scalar))>"
  case .spaceSeparator: return whitespace ? "<\(codePoint(scalar))>" : nil
  default: return whitespace && scalar.properties.isDefaultIgnorableCodePoint ? "<\(codePoint(scalar))>" : nil
  }
}

package func codePoint(_ scalar: Unicode.Scalar) -> String {
  "U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4)
}
