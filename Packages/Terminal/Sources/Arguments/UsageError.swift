internal import TextLayout

/// A command line that a command cannot parse, with the reason and the usage line.
///
/// The printed form has three parts:
///
/// ```
/// Error: Unknown option '--sav'. Did you mean '--save'?
/// Usage: demo birds [--server <url>] [--json] [--save <dir>]
///   See 'demo birds --help' for more information.
/// ```
public struct UsageError: Error, Sendable {
  /// The reason why a command line is invalid.
  ///
  /// New cases can be added: switch with a default.
  public enum Reason: Error, Sendable, Hashable {
    /// No command of the path has this option.
    case unknownOption(String, suggestion: String?)
    /// The command has subcommands, but none of this name.
    case unknownSubcommand(String, suggestion: String?)
    /// The option is the last word, or an option follows it.
    case missingValue(String)
    /// A flag was given a value: `--json=yes`.
    case unexpectedValue(String, for: String)
    /// An option that does not repeat was given more than once.
    case repeatedOption(String)
    /// The word is not a valid value; `because` describes the valid values.
    case invalidValue(String, for: String, because: String)
    /// A required value is missing.
    case missingArgument(String)
    /// The word is more than the command has arguments.
    case unexpectedArgument(String)
    /// The combination of values is invalid.
    case failedValidation(String)
  }

  public let reason: Reason

  /// The commands on the path to the error, outermost first.
  let path: [CommandNode]
}

extension UsageError: CustomStringConvertible {
  /// The message, the usage line and a reference to the help, without a newline at the end.
  public var description: String { text(width: .max) }

  /// Returns the description, with the usage line wrapped to at most `width` columns.
  func text(width: Int) -> String {
    """
    Error: \(reason)
    Usage: \(path.usage.joined(toColumns: max(width, 20) - 7).joined(separator: "\n       "))
      See '\(path.map(\.name).joined(separator: " ")) --help' for more information.
    """
  }
}

extension UsageError.Reason: CustomStringConvertible {
  /// The reason as a sentence.
  ///
  /// Words from the command line are quoted and shortened to 80 characters, and their control characters are escaped.
  public var description: String {
    switch self {
    case .unknownOption(let option, let suggestion):
      "Unknown option \(quoted(option))." + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
    case .unknownSubcommand(let name, let suggestion):
      "Unknown subcommand \(quoted(name))." + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
    case .missingValue(let label):
      "Missing value for '\(label)'."
    case .unexpectedValue(let value, let flag):
      "The flag '\(flag)' takes no value, but was given \(quoted(value))."
    case .repeatedOption(let option):
      "The option '\(option)' may be given only once."
    case .invalidValue(let value, let label, let expectation):
      "The value \(quoted(value.withoutCredentials)) is invalid for '\(label)': \(expectation.withFullStop)"
    case .missingArgument(let label):
      "Missing expected argument '\(label)'."
    case .unexpectedArgument(let word):
      "Unexpected argument \(quoted(word))."
    case .failedValidation(let message):
      message.withFullStop
    }
  }
}

/// Quotes a word of the command line for a message.
///
/// Shortens the word to 80 scalars and escapes control characters, so that the word cannot flood the terminal or send
/// control sequences to it.
func quoted(_ word: String) -> String {
  let shown = word.unicodeScalars.prefix(80).map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }
  return "'" + shown.joined() + (word.unicodeScalars.count > 80 ? "…'" : "'")
}

extension String {
  /// The text with the user name and password of a URL replaced by `…`, since errors are written to logs.
  var withoutCredentials: String { replacing(#/:\/\/[^\/?#]*@/#, with: "://…@") }

  /// The text with a full stop, unless it ends in punctuation already.
  var withFullStop: String {
    guard let last else { return self }
    return ".!?…".contains(last) ? self : self + "."
  }
}

/// Returns the candidate nearest to `word`, or nil when none is near.
///
/// A candidate is near if at most a third of its characters, or one, must be edited. The first of several equally near
/// candidates wins. A candidate of a very different length is skipped without computing the distance.
func closest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let target = Array(candidate)
    let limit = min(max(1, target.count / 3), (best?.distance ?? .max) - 1)
    guard abs(typed.count - target.count) <= limit else { continue }
    let distance = editDistance(typed, target)
    if distance <= limit { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
