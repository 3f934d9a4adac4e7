internal import Foundation

/// A rule that replaces the parts of a text that change from run to run.
///
/// ```swift
/// assertSnapshot(of: log, as: .lines.redacting(.uuids, .dates))
/// ```
public struct Redaction: Sendable {
  public let name: String
  /// Returns the changed text; `nil` if nothing matches.
  public let apply: @Sendable (String) -> String?

  /// Creates a rule from a function, which may be called from any thread and returns `nil` if nothing matches.
  public init(_ name: String, apply: @escaping @Sendable (String) -> String?) {
    self.name = name
    self.apply = apply
  }

  /// Creates a rule that replaces each match of a regular expression in the syntax of `NSRegularExpression`; `$1` in
  /// the replacement is the first group.
  ///
  /// - Throws: ``PatternError`` if the pattern is not a regular expression.
  public init(pattern: String, with replacement: String) throws(PatternError) {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { throw PatternError(pattern: pattern) }
    self.init("the pattern \(pattern)") { text in
      let range = NSRange(text.startIndex..., in: text)
      guard expression.firstMatch(in: text, range: range) != nil else { return nil }
      return expression.stringByReplacingMatches(in: text, range: range, withTemplate: replacement)
    }
  }

  public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    public let pattern: String

    public var description: String {
      "Cannot use the pattern '\(pattern)': it is not a valid NSRegularExpression. To match literal text, use Redaction.text(_:with:)."
    }
  }

  /// Returns a rule that replaces each occurrence of a text.
  public static func text(_ secret: String, with replacement: String = "<redacted>") -> Redaction {
    Redaction("a given text") { text in
      guard !secret.isEmpty, text.contains(secret) else { return nil }
      return text.replacingOccurrences(of: secret, with: replacement)
    }
  }

  /// Replaces UUIDs by `<UUID 1>`, `<UUID 2>`, in the order of the text.
  ///
  /// Equal UUIDs get equal numbers.
  public static let uuids = numbered(
    "UUID",
    #"(?<![0-9A-Fa-f-])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f-])"#)

  /// Replaces dates with a time, in ISO 8601 and in the description of `Date`, by `<date>`.
  public static let dates = fixed(
    "date", #"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}|UTC)\b)?"#)

  /// Replaces numbers with a unit of time by `<duration>`.
  public static let durations = fixed(
    "duration",
    #"(?<![\w.])\d+([.,]\d+)?(e-?\d+)? ?(ns|µs|μs|us|ms|s|sec|secs|seconds?|minutes?|min|hours?|h|nanoseconds?|microseconds?|milliseconds?)\b"#
  )

  /// Replaces the folders of absolute paths by `<path>`, and keeps the last component.
  public static let absolutePaths = fixed(
    "path", #"(?<![\w:/.<>-])(?:file://)?(?:/[^\s/"'<>:,;()\[\]]+)+/(?=[^\s/"'<>:,;()\[\]]*)"#)

  /// Replaces addresses such as `0x00007f8a4c004a10` by `<pointer 1>`, `<pointer 2>`.
  ///
  /// Equal addresses get equal numbers.
  public static let pointers = numbered("pointer", #"\b0x[0-9A-Fa-f]{6,16}\b"#)

  private static func fixed(_ name: String, _ pattern: String) -> Redaction {
    replacing(name, pattern) { _ in "<\(name)>" }
  }

  private static func numbered(_ name: String, _ pattern: String) -> Redaction {
    replacing(name, pattern) { "<\(name) \($0)>" }
  }

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
  /// Returns a strategy that replaces the parts of the text that change from run to run.
  ///
  /// - Parameter rules: The rules, in the order of their application. A rule that matches nothing causes a warning.
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
  /// Returns a strategy that replaces one part of the value before it takes the snapshot.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: Snapshotting<User, String>.readable.redacting(\.token, with: "<token>"))
  /// ```
  ///
  /// It changes a copy of the value. Objects are not copied: redact the text of their snapshot instead.
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
