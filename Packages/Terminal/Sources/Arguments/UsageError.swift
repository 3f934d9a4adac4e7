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
public struct UsageError: Error, Sendable, Hashable {
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
    /// The command line has more words than the command has arguments.
    case unexpectedArguments([String])
    /// Each value is valid, but the combination is not.
    case failedValidation(String)
  }

  /// The reason why the command line is invalid.
  public let reason: Reason

  /// The names of the commands on the path to the error, outermost first.
  public let commandPath: [String]

  /// The usage line of the innermost command in ``commandPath``.
  public var usage: String { usagePieces.joined(separator: " ") }
  private let usagePieces: [String]

  init(reason: Reason, path: [CommandNode]) {
    self.reason = reason
    commandPath = path.map(\.name)
    usagePieces = UsageLine(path: path).pieces
  }
}

extension UsageError: CustomStringConvertible {
  /// The message, the usage line and a reference to the help, without a newline at the end.
  public var description: String { text(width: .max) }

  /// Returns the description, with the usage line wrapped to at most `width` columns.
  func text(width: Int) -> String {
    """
    Error: \(reason)
    Usage: \(usagePieces.joined(toColumns: max(width, 20) - 7).joined(separator: "\n       "))
      See '\(commandPath.joined(separator: " ")) --help' for more information.
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
      "Unknown option \(quoted(option))." + Self.question(suggestion)
    case .unknownSubcommand(let name, let suggestion):
      "Unknown subcommand \(quoted(name))." + Self.question(suggestion)
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
    case .unexpectedArguments(let words):
      words.count == 1
        ? "Unexpected argument \(quoted(words[0]))."
        : "\(words.count) unexpected arguments: \(words.prefix(5).map(quoted).joined(separator: ", "))"
          + (words.count > 5 ? ", …" : ".")
    case .failedValidation(let message):
      message.withFullStop
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }
}

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

  /// The text with a full stop, unless it ends in punctuation already.
  var withFullStop: String {
    guard let last else { return self }
    return ".!?…".contains(last) ? self : self + "."
  }
}

/// Finds the name that a misspelled word most likely stands for.
enum Suggestion {
  /// Returns the candidate nearest to `word`, or nil when none is near.
  ///
  /// A candidate is near if its edit distance to `word` is at most 1, or at most a third of the candidate's length without
  /// leading dashes. A swap of neighbours counts as one edit. The first of several equally near candidates wins. If none is
  /// near, and `word` has at least two characters without leading dashes, the result is the only candidate that starts with
  /// `word`. A candidate with a very different length is skipped without computing the distance.
  static func closest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let target = Array(candidate)
      let limit = max(1, significantCount(target) / 3)
      guard abs(typed.count - target.count) <= limit else { continue }
      let distance = editDistance(typed, target)
      if distance <= limit, distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    if let best { return best.candidate }
    let completions = candidates.filter { significantCount(typed) >= 2 && $0.hasPrefix(word) }
    return completions.count == 1 ? completions[0] : nil
  }

  private static func significantCount(_ name: [Character]) -> Int {
    name.count - name.prefix { $0 == "-" }.count
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
