/// The kind of one word of the command line, determined by its spelling alone.
enum Word: Equatable {
  /// `--`: every later word is an operand.
  case terminator
  /// `--name` or `--name=value`.
  case long(name: String, value: String?)
  /// `-abc`, without the dash.
  case short(String)
  /// `-5`: an operand, unless that digit is a declared short name.
  case negativeNumber(String)
  /// Any other word, including the empty word and `-`.
  case operand(String)

  // Compares scalars, not characters: a combining mark would merge with the dash or the equals sign before it.
  init(_ word: String) {
    let scalars = word.unicodeScalars
    guard scalars.first == "-", scalars.count > 1 else {
      self = .operand(word)
      return
    }
    let body = scalars.dropFirst()
    if body.first == "-" {
      let long = body.dropFirst()
      if long.isEmpty {
        self = .terminator
      } else if let equals = long.firstIndex(of: "=") {
        self = .long(name: String(long[..<equals]), value: String(long[long.index(after: equals)...]))
      } else {
        self = .long(name: String(long), value: nil)
      }
    } else if Self.looksNumeric(body), Double(word) != nil {
      self = .negativeNumber(word)
    } else {
      self = .short(String(body))
    }
  }

  private static func looksNumeric(_ body: Substring.UnicodeScalarView) -> Bool {
    let first = body.first == "." ? body.dropFirst().first : body.first
    return first.map { ("0"..."9").contains($0) } ?? false
  }
}

extension String {
  /// Whether a parser can read the word as an option.
  var startsWithDash: Bool {
    unicodeScalars.first == "-" && unicodeScalars.count > 1
  }
}
