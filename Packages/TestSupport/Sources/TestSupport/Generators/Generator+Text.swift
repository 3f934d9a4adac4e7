extension Generator where Value == Character {
  /// A generator of the letters a–z and A–Z, which shrinks towards `a`.
  public static var letter: Generator {
    .element(of: Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
  }

  /// A generator of printable ASCII characters, which shrinks towards `a`: signs to digits to letters.
  public static var character: Generator {
    let simple = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")
    let signs = (0x21...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }.filter { !simple.contains($0) }
    return .element(of: simple + signs)
  }

  /// A generator of characters that are difficult to handle, which shrinks towards `a`.
  ///
  /// Includes control characters, line ends of two scalars, combining marks, right-to-left and wide characters, emoji
  /// of many scalars, flags, and scalars that are invisible, reserved or outside the basic plane.
  public static var unicodeCharacter: Generator {
    .frequency([
      (weight: 2, generator: .character),
      (weight: 3, generator: .element(of: awkwardCharacters)),
      (weight: 1, generator: Generator<Unicode.Scalar>.unicodeScalar.map { Character($0) }),
    ])
  }
}

extension Generator where Value == Unicode.Scalar {
  /// A generator of all Unicode scalars, assigned or not, which shrinks towards `a`.
  public static var unicodeScalar: Generator {
    // All scalars without the surrogates, rotated so that "a" is zero.
    let (count, surrogates) = (0x11_0000 - 0x800, 0xD800...0xDFFF)
    return Generator<Int>.int(in: 0...count - 1).map { choice in
      let position = (choice + 0x61) % count
      let value = position < surrogates.lowerBound ? position : position + surrogates.count
      return Unicode.Scalar(UInt32(value)) ?? "a"
    }
  }
}

extension Generator where Value == String {
  /// A generator of strings of up to twenty printable ASCII characters, which shrink like arrays.
  public static var string: Generator { .string(of: .character) }

  /// A generator of strings of up to twenty characters that are difficult to handle; see ``unicodeCharacter``.
  public static var unicodeString: Generator { .string(of: .unicodeCharacter) }

  /// A generator of strings of another generator's characters, which shrink like arrays.
  ///
  /// - Parameters:
  ///   - character: The generator of the characters. If two characters combine, the string has fewer than were drawn.
  ///   - count: The range of the number of drawn characters. Bounds below zero count as zero.
  public static func string(of character: Generator<Character>, count: ClosedRange<Int> = 0...20) -> Generator {
    character.array(count: count).map { String($0) }
  }
}

private let awkwardCharacters: [Character] = [
  "\0", "\n", "\r\n", "\t", "\u{1B}", "\u{7F}", "\"", "\\", "é", "e\u{301}", "ß", "İ", "ı", "ﬁ", "Å", "a\u{30A}\u{323}",
  "א", "ش", "\u{202E}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{2028}", "字", "한", "\u{1112}\u{1161}\u{11AB}", "ｱ",
  "नि", "😀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🇺🇳", "☹️", "1️⃣", "𝔘", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}",
]
