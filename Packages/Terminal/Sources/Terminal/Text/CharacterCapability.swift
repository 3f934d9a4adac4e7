import Foundation

/// Which characters an output shows.
public enum CharacterCapability: Hashable, Sendable, CaseIterable {
  /// Those of ASCII.
  case ascii
  /// All of Unicode, in UTF-8.
  case unicode

  /// What the locale says: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty.
  ///
  /// One that names UTF-8, such as `C.UTF-8`, means Unicode, and any other, such as `C`, means ASCII. Without a locale nothing
  /// is said, and Unicode is what nearly every terminal shows.
  ///
  /// Pure: the same environment always gives the same answer.
  public init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = locale?.lowercased() ?? "utf-8"
    self = name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
  }
}

extension TerminalDevice {
  /// Which characters the output shows, by `CharacterCapability.init(environment:)`.
  ///
  /// The environment is the process's unless one is given.
  public func characterCapability(environment: [String: String]? = nil) -> CharacterCapability {
    CharacterCapability(environment: environment ?? ProcessInfo.processInfo.environment)
  }
}

extension Screen {
  /// This screen with nothing on it but what an output shows: for ASCII lines become `+`, `-` and `|`, arrows `^` and `v`,
  /// letters lose their accents, and what has no likeness becomes a `?` in each of its columns.
  ///
  /// Everything stays where it is. For Unicode it is the screen itself.
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
  /// What looks most like this character.
  fileprivate var inASCII: Character {
    if let likeness = Self.likenesses[self] { return likeness }
    let scalars = String(self).decomposedStringWithCanonicalMapping.unicodeScalars
    // Without the stroke through it `≠` would say the opposite.
    guard let base = scalars.first, base.isASCII, !scalars.contains("\u{338}") else { return "?" }
    return Character(base)
  }

  private static let likenesses: [Character: Character] = [
    "↑": "^", "↓": "v", "←": "<", "→": ">", "‹": "<", "›": ">", "«": "<", "»": ">", "…": ".", "•": "*", "·": ".",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "–": "-", "—": "-", "−": "-", "×": "x", "‘": "'",
    "’": "'", "“": "\"", "”": "\"", "\u{A0}": " ", "█": "#",
  ]
}
