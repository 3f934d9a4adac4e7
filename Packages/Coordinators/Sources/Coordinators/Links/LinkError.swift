/// The reason why a text leads to no route: the first difference from the best alternative, and the text expected there.
///
/// ```
/// boundaries://stories/abc
///                      ^ expected a whole number
/// ```
public struct LinkError: Error, Sendable {
  /// The kind of a difference; more may be added.
  public struct Kind: Hashable, Sendable {
    enum Value: Hashable, Sendable {
      case scheme, host, mismatch, missingQueryItem(String), malformed
    }

    let value: Value

    /// The scheme is missing or unknown.
    public static var scheme: Kind { Kind(value: .scheme) }
    /// The host is unknown.
    public static var host: Kind { Kind(value: .host) }
    /// The text at ``LinkError/offset`` does not match any link, or is missing.
    public static var mismatch: Kind { Kind(value: .mismatch) }
    /// A query item of the best alternative is missing.
    ///
    /// - Parameter name: The name of the item.
    public static func missingQueryItem(_ name: String) -> Kind { Kind(value: .missingQueryItem(name)) }
    /// A byte that is not allowed in a link, an incomplete percent-encoding, or invalid UTF-8.
    public static var malformed: Kind { Kind(value: .malformed) }
  }

  /// The complete text of the link.
  public let link: String
  private let diagnose: @Sendable (String) -> LinkDiagnosis

  init(link: String, diagnose: @escaping @Sendable (String) -> LinkDiagnosis) {
    self.link = link
    // Computed when it is read: rejecting a link should cost no more than resolving one.
    self.diagnose = diagnose
  }

  /// The kind of the difference.
  ///
  /// This, ``offset``, ``expected`` and ``description`` are computed at each access, by comparing the text with every link.
  public var kind: Kind { diagnose(link).kind }

  /// The number of UTF-8 bytes before the difference.
  public var offset: Int { diagnose(link).offset }

  /// The expected alternatives, in words: `'stories'`, `a whole number`, `the end of the path`.
  public var expected: [String] { diagnose(link).expected }
}

extension LinkError: Equatable {
  /// Returns whether both have the same text and the same difference.
  public static func == (left: LinkError, right: LinkError) -> Bool {
    left.link == right.link && left.diagnose(left.link) == right.diagnose(right.link)
  }
}

extension LinkError: CustomStringConvertible {
  /// The text, the place of the difference, and the expected alternatives.
  public var description: String {
    let diagnosis = diagnose(link)
    let offset = diagnosis.offset
    let utf8 = link.utf8
    let before = String(decoding: utf8.prefix(offset).suffix(60), as: UTF8.self)
    let found = String(decoding: utf8.dropFirst(offset).prefix(24), as: UTF8.self)
    let place = found.isEmpty ? "at its end" : "at '\(found)'"
    let rightOnes = list(diagnosis.expected)
    let context = before.isEmpty ? "" : ", after '\(before)'"
    switch diagnosis.kind.value {
    case .scheme: return "No route matches the link '\(link.prefix(80))': expected it to begin with \(rightOnes)."
    case .host: return "No route matches the link '\(link.prefix(80))': expected the host \(rightOnes)."
    case .mismatch where diagnosis.expected.isEmpty:
      return "No route matches this link: no valid link is declared. Check the `problems` of the links."
    case .mismatch: return "No route matches this link \(place)\(context): expected \(rightOnes)."
    case .missingQueryItem(let name):
      return "No route matches this link: the query item '\(name)' is missing. Expected \(rightOnes)."
    case .malformed: return "This link is malformed \(place)\(context): expected \(rightOnes)."
    }
  }

  private func list(_ words: [String]) -> String {
    let shown = words.prefix(8)
    let more = words.count > shown.count ? ["\(words.count - shown.count) others"] : []
    let all = Array(shown) + more
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The reason why a route cannot be printed as a link.
public enum LinkPrintingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No link is declared for the route.
  case noLink(String)
  /// A value without a text, for example an empty segment, or a date with a fraction of a day.
  case unprintable(placeholder: String, in: String)
  /// The host is not declared.
  case unknownHost(String, known: [String])

  /// The cause, and the next step.
  public var description: String {
    switch self {
    case .noLink(let route): "Cannot create a link to the route \(route): no link is declared for it. Declare one."
    case .unprintable(let placeholder, let template):
      "Cannot create a link from '\(template)': the value of ':\(placeholder)' is not valid there, for example because it is empty."
    case .unknownHost(let host, let known):
      "Cannot create a link for the unknown host '\(host)'. Known hosts: \(known.map { "'\($0)'" }.joined(separator: ", "))."
    }
  }
}
