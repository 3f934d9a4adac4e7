/// Why a text does not lead to a route: how far the best alternative got, and what it expected there.
///
/// ```
/// boundaries://stories/abc
///                      ^ expected a whole number
/// ```
public struct LinkError: Error, Sendable {
  /// What kind of thing is wrong; more may come.
  public struct Kind: Hashable, Sendable {
    enum Value: Hashable, Sendable {
      case scheme, host, mismatch, missingQueryItem(String), malformed
    }

    let value: Value

    /// It has no scheme, or not one of these links'.
    public static var scheme: Kind { Kind(value: .scheme) }
    /// It is a link of the web to another host.
    public static var host: Kind { Kind(value: .host) }
    /// Something else stands at ``LinkError/offset`` than any link has there, or nothing does.
    public static var mismatch: Kind { Kind(value: .mismatch) }
    /// A part of the query that the best alternative needs is not there.
    ///
    /// - Parameter name: The name of that part.
    public static func missingQueryItem(_ name: String) -> Kind { Kind(value: .missingQueryItem(name)) }
    /// A byte that cannot stand in a link, an incomplete percent-encoding, or one that is no text in UTF-8.
    public static var malformed: Kind { Kind(value: .malformed) }
  }

  /// The whole text.
  public let link: String
  private let diagnose: @Sendable (String) -> LinkDiagnosis

  init(link: String, diagnose: @escaping @Sendable (String) -> LinkDiagnosis) {
    self.link = link
    // When somebody reads it: finding out that there is no route should cost no more than finding one.
    self.diagnose = diagnose
  }

  /// What kind of thing is wrong.
  ///
  /// This, ``offset``, ``expected`` and ``description`` are worked out each time, by asking every link: about as long as it
  /// would take to try all of them.
  public var kind: Kind { diagnose(link).kind }

  /// Where, as a number of UTF-8 bytes before it.
  public var offset: Int { diagnose(link).offset }

  /// What could have stood there, each in words: `'stories'`, `a whole number`, `the end of the path`.
  public var expected: [String] { diagnose(link).expected }
}

extension LinkError: Equatable {
  /// Whether both are about the same text and say the same.
  public static func == (left: LinkError, right: LinkError) -> Bool {
    left.link == right.link && left.diagnose(left.link) == right.diagnose(right.link)
  }
}

extension LinkError: CustomStringConvertible {
  /// What was tried, where it went wrong, and what would be right.
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

/// Why there is no link to a route.
public enum LinkPrintingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// None of the links is for it; the route in words.
  case noLink(String)
  /// A value cannot be part of a link: an empty segment, say, or a date that its form cannot hold.
  case unprintable(placeholder: String, in: String)
  /// The links have no such host.
  case unknownHost(String, known: [String])

  /// What was tried, and the way out.
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
