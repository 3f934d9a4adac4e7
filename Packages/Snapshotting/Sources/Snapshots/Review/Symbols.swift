internal import Snapshotting

/// Returns the symbol for a scalar that is invisible or must not reach a terminal; `nil` for any other scalar.
///
/// - Parameter whitespace: Whether spaces and tabs have symbols too.
func symbol(for scalar: Unicode.Scalar, whitespace: Bool) -> String? {
  switch scalar.value {
  case 0x20: return whitespace ? "·" : nil
  case 0x09: return whitespace ? "→" : nil
  case 0x00...0x1F: return Unicode.Scalar(0x2400 + scalar.value).map { String($0) }
  case 0x21...0x7E: return nil
  case 0x7F: return "␡"
  case 0xA0: return whitespace ? "⍽" : nil
  default: break
  }
  switch scalar.properties.generalCategory {
  // Line and paragraph separators and C1 controls can end a line or begin a command in some terminals.
  case .control, .lineSeparator, .paragraphSeparator: return "<\(codePoint(scalar))>"
  case .spaceSeparator: return whitespace ? "<\(codePoint(scalar))>" : nil
  default:
    let isInvisible = isDirectionControl(scalar) || whitespace && scalar.properties.isDefaultIgnorableCodePoint
    return isInvisible ? "<\(codePoint(scalar))>" : nil
  }
}

/// Whether the scalar changes the direction of the following text, and can make two texts look alike.
private func isDirectionControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}
