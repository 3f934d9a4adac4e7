/// The reason why a text leads to no route: the first difference from the best alternative, and the text expected there.
///
/// ```
/// boundaries://stories/abc
///                      ^ expected a whole number
/// ```
///
/// Creating the error is cheap. Each access to a property other than ``link`` compares the text with all links to find the
/// difference.
public struct LinkError: Error, Sendable {
  public enum Kind: Hashable, Sendable {
    case scheme
    case host
    /// The text at ``LinkError/offset`` does not match any link, or is missing.
    case mismatch
    case missingQueryItem(String)
    /// A byte that is not allowed in a link, an incomplete percent-encoding, or invalid UTF-8.
    case malformed
  }

  public let link: String
  let diagnose: @Sendable () -> LinkDiagnosis

  public var kind: Kind { diagnose().kind }

  /// The number of UTF-8 bytes before the difference.
  public var offset: Int { diagnose().offset }

  /// The expected alternatives, in words: `'stories'`, `a whole number`, `the end of the path`.
  public var expected: [String] { diagnose().expected }
}

extension LinkError: Equatable {
  public static func == (left: LinkError, right: LinkError) -> Bool {
    left.link == right.link && left.diagnose() == right.diagnose()
  }
}

extension LinkError: CustomStringConvertible {
  public var description: String {
    let diagnosis = diagnose()
    let expected = diagnosis.expected
    let utf8 = link.utf8
    let before = String(decoding: utf8.prefix(diagnosis.offset).suffix(60), as: UTF8.self)
    let found = String(decoding: utf8.dropFirst(diagnosis.offset).prefix(24), as: UTF8.self)
    let place = found.isEmpty ? "at its end" : "at '\(found)'"
    let rightOnes = list(expected)
    let context = before.isEmpty ? "" : ", after '\(before)'"
    switch diagnosis.kind {
    case .scheme: return "No route matches the link '\(link.prefix(80))': expected it to begin with \(rightOnes)."
    case .host: return "No route matches the link '\(link.prefix(80))': expected the host \(rightOnes)."
    case .mismatch where expected.isEmpty:
      return "No route matches this link: no valid link is declared. Check the `problems` of the links."
    case .mismatch: return "No route matches this link \(place)\(context): expected \(rightOnes)."
    case .missingQueryItem(let name):
      return
        "No route matches this link: the query item '\(name)' is missing. Add '\(name)=…' to the query, with \(rightOnes) as the value."
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
  case noLink(String)
  /// A value without a text, for example an empty segment.
  case unprintable(placeholder: String, in: String)
  case unknownHost(String, known: [String])

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
