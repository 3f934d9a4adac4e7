internal import Foundation

/// A rule that takes out of a text what is different each time.
///
/// ```swift
/// assertSnapshot(of: log, as: .lines.redacting(.uuids, .dates))
/// ```
public struct Redaction: Sendable {
  /// What the rule looks for, in words.
  public let name: String
  /// The text without it; `nil` when it is not there.
  public let apply: @Sendable (String) -> String?

  /// Creates a rule from what it does.
  ///
  /// - Parameters:
  ///   - name: What the rule looks for, in words.
  ///   - apply: The text without it; `nil` when it is not there. Called from any thread.
  public init(_ name: String, apply: @escaping @Sendable (String) -> String?) {
    self.name = name
    self.apply = apply
  }

  /// A rule that puts `replacement` for each match of a regular expression.
  ///
  /// - Parameters:
  ///   - pattern: A regular expression in the syntax of `NSRegularExpression`.
  ///   - replacement: What stands there instead; `$1` is the first group.
  /// - Throws: ``PatternError`` when the pattern is no regular expression.
  public init(pattern: String, with replacement: String) throws(PatternError) {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { throw PatternError(pattern: pattern) }
    self.init("the pattern \(pattern)") { text in
      let range = NSRange(text.startIndex..., in: text)
      guard expression.firstMatch(in: text, range: range) != nil else { return nil }
      return expression.stringByReplacingMatches(in: text, range: range, withTemplate: replacement)
    }
  }

  /// Why there is no rule for a pattern: it is no regular expression.
  public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was given.
    public let pattern: String

    /// What was tried, and the way out.
    public var description: String {
      "Cannot use the pattern '\(pattern)': it is not a valid NSRegularExpression. To match literal text, use Redaction.text(_:with:)."
    }
  }

  /// A rule that puts `replacement` for each occurrence of a text.
  public static func text(_ secret: String, with replacement: String = "<redacted>") -> Redaction {
    Redaction("a given text") { text in
      guard !secret.isEmpty, text.contains(secret) else { return nil }
      return text.replacingOccurrences(of: secret, with: replacement)
    }
  }

  /// UUIDs become `<UUID 1>`, `<UUID 2>`, in the order in which they come; equal ones stay equal.
  public static let uuids = numbered(
    "UUID",
    #"(?<![0-9A-Fa-f-])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f-])"#)

  /// Dates with a time, as in ISO 8601 and as `Date` describes itself, become `<date>`.
  public static let dates = fixed(
    "date", #"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}|UTC)\b)?"#)

  /// Durations, numbers with a unit of time, become `<duration>`.
  public static let durations = fixed(
    "duration",
    #"(?<![\w.])\d+([.,]\d+)?(e-?\d+)? ?(ns|µs|μs|us|ms|s|sec|secs|seconds?|minutes?|min|hours?|h|nanoseconds?|microseconds?|milliseconds?)\b"#
  )

  /// The folders of absolute paths become `<path>`; the last component stays.
  public static let absolutePaths = fixed(
    "path", #"(?<![\w:/.<>-])(?:file://)?(?:/[^\s/"'<>:,;()\[\]]+)+/(?=[^\s/"'<>:,;()\[\]]*)"#)

  /// Addresses such as `0x00007f8a4c004a10` become `<pointer 1>`, `<pointer 2>`; equal ones stay equal.
  public static let pointers = numbered("pointer", #"\b0x[0-9A-Fa-f]{6,16}\b"#)

  private static func fixed(_ name: String, _ pattern: String) -> Redaction {
    replacing(name, pattern) { _ in "<\(name)>" }
  }

  private static func numbered(_ name: String, _ pattern: String) -> Redaction {
    replacing(name, pattern) { "<\(name) \($0)>" }
  }

  /// A rule that puts a text for each match, made from the number of that match among the different ones.
  private static func replacing(
    _ name: String, _ pattern: String, _ replacement: @escaping @Sendable (Int) -> String
  ) -> Redaction {
    let expression = try? NSRegularExpression(pattern: pattern)
    return Redaction("\(name)s") { text in
      let source = text as NSString
      let matches = expression?.matches(in: text, range: NSRange(location: 0, length: source.length)) ?? []
      guard !matches.isEmpty else { return nil }
      var numbers: [String: Int] = [:]
      var result = ""
      var end = 0
      for match in matches {
        let found = source.substring(with: match.range).lowercased()
        let number = numbers[found] ?? numbers.count + 1
        numbers[found] = number
        result +=
          source.substring(with: NSRange(location: end, length: match.range.location - end)) + replacement(number)
        end = match.range.location + match.range.length
      }
      return result + source.substring(from: end)
    }
  }
}

extension Snapshotting where Format == String {
  /// A strategy that takes out of the text what is different each time.
  ///
  /// - Parameter rules: Applied in this order, each to what the one before left. One that finds nothing is told in a warning,
  ///   since then it is of no use, or the text is not what it was.
  ///
  /// ```swift
  /// assertSnapshot(of: log, as: .lines.redacting(.uuids, .dates))
  /// ```
  public func redacting(_ rules: Redaction...) -> Snapshotting {
    mapFormat { text, context in
      rules.reduce(text) { text, rule in
        if let redacted = rule.apply(text) { return redacted }
        context.warn(
          "The redaction rule for \(rule.name) matched nothing. Remove the rule, or find out why nothing matches.")
        return text
      }
    }
  }
}

extension Snapshotting {
  /// A strategy for values in which one part is put aside first.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - replacement: What stands there instead.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: Snapshotting<User, String>.readable.redacting(\.token, with: "<token>"))
  /// ```
  ///
  /// It changes a copy of the value. An object is no copy: redact what is made from it.
  public func redacting<Part: Sendable>(
    _ keyPath: any WritableKeyPath<Value, Part> & Sendable, with replacement: Part
  ) -> Snapshotting {
    pullback { value in
      var value = value
      value[keyPath: keyPath] = replacement
      return value
    }
  }
}
