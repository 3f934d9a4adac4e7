/// What one word of the command line is, by its spelling alone.
enum Word: Equatable {
  /// `--`: everything after it is an operand.
  case terminator
  /// `--name` or `--name=value`.
  case long(name: String, value: String?)
  /// `-abc`, without the dash.
  case short(String)
  /// `-5`: an operand, unless a short name begins with that digit.
  case negativeNumber(String)
  /// Anything else, the empty word and `-` among them.
  case operand(String)

  // Scalars, not characters: a combining mark after a dash or an equals sign would otherwise hide it.
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
  /// Whether a parser may take the word for an option.
  var startsWithDash: Bool {
    unicodeScalars.first == "-" && unicodeScalars.count > 1
  }
}
