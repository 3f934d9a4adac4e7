/// The reason why a text leads to no route: the first difference from the nearest link, and the text expected there.
///
/// ```
/// boundaries://stories/abc
///                      ^ expected a whole number
/// ```
public struct LinkError: Error, Hashable, Sendable {
  public let link: String
  /// The number of UTF-8 bytes before the difference.
  public internal(set) var offset: Int
  /// The expected alternatives, in words: `'stories'`, `a whole number`, `the end of the path`.
  public internal(set) var expected: [String]

  static let endOfPath = "the end of the path"

  init(link: String, at offset: Int, _ expected: [String] = []) {
    (self.link, self.offset, self.expected) = (link, offset, expected)
  }

  /// Keeps the error with the later difference; at the same place, combines the expectations.
  mutating func merge(_ other: LinkError) {
    if other.offset < offset { return }
    if other.offset > offset {
      self = other
    } else {
      for word in other.expected where !expected.contains(where: { $0.isSame(word) }) { expected.append(word) }
      // The end of the path reads best after the other alternatives.
      expected = expected.filter { $0 != Self.endOfPath } + expected.filter { $0 == Self.endOfPath }
    }
  }
}

extension LinkError: CustomStringConvertible {
  public var description: String {
    let before = String(decoding: link.utf8.prefix(offset).suffix(60), as: UTF8.self)
    let found = String(decoding: link.utf8.dropFirst(offset).prefix(24), as: UTF8.self)
    let place = (found.isEmpty ? "at its end" : "at '\(found)'") + (before.isEmpty ? "" : ", after '\(before)'")
    let expected = alternatives(expected)
    return "No route matches this link \(place): expected \(expected)."
  }
}

func alternatives(_ words: [String]) -> String {
  let all = words.count > 8 ? words.prefix(8) + ["\(words.count - 8) others"] : words
  guard let last = all.last, all.count > 1 else { return all.first ?? "another link" }
  return all.dropLast().joined(separator: ", ") + " or " + last
}

/// The reason why a route cannot be printed as a link.
public enum LinkPrintingError: Error, Hashable, Sendable, CustomStringConvertible {
  case noLink(String)
  /// A value without a text, for example an empty segment.
  case unprintable(placeholder: String, in: String)

  public var description: String {
    switch self {
    case .noLink(let route): "Cannot create a link to the route \(route): no link is declared for it. Declare one."
    case .unprintable(let placeholder, let template):
      "Cannot create a link from '\(template)': the value of ':\(placeholder)' is not valid there, for example because it is empty."
    }
  }
}
