import Foundation

/// The characters that an output supports.
public enum CharacterCapability: Hashable, Sendable, CaseIterable {
  /// Only ASCII.
  case ascii
  /// All of Unicode, in UTF-8.
  case unicode

  /// Determines the characters from the locale: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty.
  ///
  /// A locale with UTF-8, such as `C.UTF-8`, means Unicode. Any other locale, such as `C`, means ASCII. Without a locale
  /// the result is Unicode, which nearly every terminal supports.
  ///
  /// Pure: the same environment always gives the same result.
  public init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = locale?.lowercased() ?? "utf-8"
    self = name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
  }
}

extension TerminalDevice {
  /// Returns the characters that the output supports, as determined by `CharacterCapability.init(environment:)`.
  ///
  /// Uses the process's environment by default.
  public func characterCapability(environment: [String: String]? = nil) -> CharacterCapability {
    CharacterCapability(environment: environment ?? ProcessInfo.processInfo.environment)
  }
}

extension Screen {
  /// Returns this screen with only characters that an output supports.
  ///
  /// For ASCII, a similar character replaces each character: lines become `+`, `-` and `|`, arrows become `^` and `v`, and
  /// letters lose their accents. A character without a similar one becomes a `?` in each of its columns. Positions do not
  /// change. For Unicode the result is the screen itself.
  public func limited(to characters: CharacterCapability) -> Screen {
    guard characters == .ascii else { return self }
    var screen = self
    for row in lines.indices {
      for (column, cell) in lines[row].enumerated() where cell.character?.isASCII != true {
        let likeness = cell.columns == 1 ? cell.character?.inASCII : nil
        screen.place(Cell(character: likeness ?? "?", style: cell.style, columns: 1), column: column, row: row)
      }
    }
    return screen
  }
}

extension Character {
  /// The ASCII character that looks most like this character.
  fileprivate var inASCII: Character {
    if let likeness = Self.likenesses[self] { return likeness }
    let scalars = String(self).decomposedStringWithCanonicalMapping.unicodeScalars
    // Without its stroke `≠` would mean the opposite.
    guard let base = scalars.first, base.isASCII, !scalars.contains("\u{338}") else { return "?" }
    return Character(base)
  }

  private static let likenesses: [Character: Character] = [
    "↑": "^", "↓": "v", "←": "<", "→": ">", "‹": "<", "›": ">", "«": "<", "»": ">", "…": ".", "•": "*", "·": ".",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "–": "-", "—": "-", "−": "-", "×": "x", "‘": "'",
    "’": "'", "“": "\"", "”": "\"", "\u{A0}": " ", "█": "#",
  ]
}
