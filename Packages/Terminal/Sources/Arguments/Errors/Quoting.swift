/// Quotes a word of the command line for a message.
///
/// Shortens the word to 80 scalars and escapes control characters, so that the word cannot flood the terminal or send
/// control sequences to it.
func quoted(_ word: String) -> String {
  let limit = 80
  var text = ""
  var count = 0
  for scalar in word.unicodeScalars {
    guard count < limit else { return "'\(text)…'" }
    count += 1
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
      text += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      text.unicodeScalars.append(scalar)
    }
  }
  return "'\(text)'"
}

extension String {
  /// The text with the user name and password of a URL replaced by `…`, since errors are written to logs.
  var withoutCredentials: String {
    guard let scheme = firstRange(of: "://") else { return self }
    let authority = self[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return self }
    return self[..<scheme.upperBound] + "…" + self[at...]
  }

  /// The text without its middle when it is longer than 600 scalars, since it can contain a word of the command line.
  var withoutFlood: String {
    let limit = 300
    let scalars = unicodeScalars
    guard scalars.count > 2 * limit else { return self }
    return String(String.UnicodeScalarView(scalars.prefix(limit))) + "…"
      + String(String.UnicodeScalarView(scalars.suffix(limit)))
  }

  /// The text with a full stop, unless it ends in punctuation already.
  var withFullStop: String {
    guard let last else { return self }
    return ".!?…".contains(last) ? self : self + "."
  }
}
