public import Terminal

/// The keys that a user presses, as text: words for keys, and quoted text to type.
///
/// ```swift
/// let script = try TerminalScript("down enter 'fiets' tab back")
/// ```
///
/// A word is the name of a key (`up down left right enter tab backtab space escape backspace delete home end pageup
/// pagedown`), `back` for Escape, `ctrl-` and a letter, or a single character. The case of a name does not matter. Text in
/// single or double quotes is typed.
public struct TerminalScript: Hashable, Sendable {
  public let keys: [KeyPress]

  /// Reads a script.
  ///
  /// - Throws: ``TerminalScriptError``, with the invalid word.
  public init(_ text: String) throws(TerminalScriptError) {
    var keys: [KeyPress] = []
    for match in text.matches(of: /'([^']*)'|"([^"]*)"|\S+/) {
      if let typed = match.1 ?? match.2 {
        keys += typed.unicodeScalars.map { KeyPress(.character(Character($0))) }
      } else {
        guard let key = Self.key(named: String(match.0)) else { throw TerminalScriptError(word: String(match.0)) }
        keys.append(key)
      }
    }
    self.keys = keys
  }

  fileprivate static let named: KeyValuePairs<String, KeyPress> = [
    "up": KeyPress(.up), "down": KeyPress(.down), "left": KeyPress(.left), "right": KeyPress(.right),
    "enter": KeyPress(.enter), "tab": KeyPress(.tab), "backtab": KeyPress(.tab, .shift),
    "space": KeyPress(.character(" ")), "escape": KeyPress(.escape), "back": KeyPress(.escape),
    "backspace": KeyPress(.backspace), "delete": KeyPress(.delete), "home": KeyPress(.home), "end": KeyPress(.end),
    "pageup": KeyPress(.pageUp), "pagedown": KeyPress(.pageDown),
  ]

  private static func key(named word: String) -> KeyPress? {
    let name = word.lowercased()
    if let key = named.first(where: { $0.key == name })?.value { return key }
    // A terminal reports the lower case letter.
    if let letter = name.wholeMatch(of: /ctrl-([a-z])/)?.1.first { return .control(letter) }
    return word.count == 1 ? word.first.map { KeyPress(.character($0)) } : nil
  }
}

public struct TerminalScriptError: Error, Hashable, CustomStringConvertible {
  public let word: String

  public var description: String {
    let names = TerminalScript.named.map(\.key).joined(separator: ", ")
    return """
      Cannot read the script: \(String(word.prefix(40)).debugDescription) is not a key. Use \(names), ctrl- and a letter \
      from a to z, a single character, or text between two quotes of the same kind.
      """
  }
}
