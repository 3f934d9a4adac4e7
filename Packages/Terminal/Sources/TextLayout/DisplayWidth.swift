extension Character {
  /// The number of terminal columns of this character: 0, 1 or 2.
  ///
  /// The width is 2 for East Asian wide and fullwidth characters, flags, and emoji with their modifiers, joiners and
  /// variation selectors. It is 0 for control characters and for combining marks without a base. It is 1 for all others.
  /// Wide characters are those of Unicode 17.0. General categories and emoji properties come from the standard library
  /// (also 17.0 in Swift 6.3). Ambiguous characters have width 1, as in terminals outside East Asian locales.
  ///
  /// ```swift
  /// Character("e\u{301}").displayWidth  // 1
  /// Character("鳥").displayWidth         // 2
  /// Character("👩‍🚀").displayWidth         // 2
  /// ```
  public var displayWidth: Int {
    if let ascii = asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    return clusterWidth(unicodeScalars)
  }
}

extension StringProtocol {
  /// The number of terminal columns of this text: the sum of its characters' widths.
  ///
  /// Control characters, including newlines, have width 0. Linear in the length of the text.
  public var displayWidth: Int {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }
}

private func clusterWidth(_ scalars: Character.UnicodeScalarView) -> Int {
  var width = 0
  var previous: Unicode.Scalar?
  for scalar in scalars {
    switch scalar.value {
    case 0xFE0F where previous?.properties.isEmoji == true:
      return 2
    case 0xFE0E where previous?.properties.isEmojiPresentation == true:
      return 1
    case 0x200D where (previous?.properties).map({ $0.isEmoji || $0.isEmojiModifier }) == true:
      // The terminal draws the scalars after the joiner of an emoji sequence into the same two columns.
      return 2
    default:
      width += scalarWidth(scalar)
    }
    previous = scalar
  }
  return min(width, 2)
}

private func scalarWidth(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .surrogate: return 0
  case .format: return isVisibleFormat(scalar) ? 1 : 0
  default: break
  }
  switch scalar.value {
  // Medial vowels and final consonants of conjoining Hangul share the syllable's two columns.
  case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
  default: return WideRanges.contains(scalar) ? 2 : 1
  }
}

/// Returns whether a format character is drawn: a sign before Arabic, Syriac or Kaithi numbers.
private func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
  default: false
  }
}
