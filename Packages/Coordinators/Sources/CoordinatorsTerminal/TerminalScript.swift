public import Terminal

/// The keys that a user presses, as text: words for keys, and quoted text to type.
///
/// ```swift
/// let script = try TerminalScript("down enter 'fiets' tab back")
/// ```
///
/// A word is one of these:
///
/// - the name of a key: `up down left right enter tab backtab space escape backspace delete home end pageup pagedown`
/// - `back`, which is Escape
/// - `ctrl-` and a letter from a to z
/// - a single character
///
/// The case of a name does not matter: `Ctrl-C` is `ctrl-c`.
///
/// Text in single or double quotes is typed. A control character is an error: write the name of its key, such as `ctrl-c`.
public struct TerminalScript: Hashable, Sendable {
  public let keys: [KeyPress]

  /// Reads a script.
  ///
  /// - Throws: ``TerminalScriptError``, with the invalid word.
  public init(_ text: String) throws(TerminalScriptError) {
    var keys: [KeyPress] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "'" || first == "\"" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { throw TerminalScriptError(word: "\(first)\(rest)") }
        guard !rest[..<end].hasControlCharacter else { throw TerminalScriptError(word: "\(first)\(rest[...end])") }
        for scalar in rest[..<end].unicodeScalars { keys.append(KeyPress(.character(Character(scalar)))) }
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        guard let key = Self.key(named: String(word)) else { throw TerminalScriptError(word: String(word)) }
        keys.append(key)
        rest = rest[word.endIndex...]
      }
    }
    self.keys = keys
  }

  /// The keys with a name, in the order of the error that lists them.
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
    if name.hasPrefix("ctrl-") {
      // A terminal reports the lower case letter.
      let letter = name.dropFirst(5)
      guard letter.count == 1, let character = letter.first, ("a"..."z").contains(character) else { return nil }
      return KeyPress(.character(character), .control)
    }
    guard word.count == 1, let character = word.first, !word.hasControlCharacter else { return nil }
    return KeyPress(.character(character))
  }
}

public struct TerminalScriptError: Error, Hashable, CustomStringConvertible {
  public let word: String

  public var description: String {
    let start = word.prefix(40).withVisibleControls
    if word.hasControlCharacter {
      return
        "Cannot read the script: '\(start)' has a control character. Write the name of the key, such as enter or ctrl-c."
    }
    if word.first == "'" || word.first == "\"" {
      return "Cannot read the script: the text \(start) has no closing quote. Close it with the same quote."
    }
    let names = TerminalScript.named.map(\.key).joined(separator: ", ")
    return """
      Cannot read the script: '\(start)' is not a key. Use \(names), ctrl- and a letter from a to z, a single \
      character, or text in quotes.
      """
  }
}

extension StringProtocol {
  fileprivate var hasControlCharacter: Bool { unicodeScalars.contains(where: \.isControl) }

  fileprivate var withVisibleControls: String {
    unicodeScalars.map { $0.isControl ? "\\u{\(String($0.value, radix: 16, uppercase: true))}" : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
