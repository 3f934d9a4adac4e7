/// Values with the same expectation count as equal.
struct LinkDomain {
  private var path: [LinkRequirement]
  private var query: [String: LinkRequirement] = [:]
  private var fragment: LinkRequirement?

  init(_ pattern: LinkPattern) {
    var values = pattern.values[...]
    func requirement(_ part: LinkTemplate.Part) -> LinkRequirement? {
      if case .literal(let text) = part { LinkRequirement(literal: text) } else { values.popFirst() }
    }
    path = pattern.template.path.compactMap(requirement)
    for item in pattern.template.query { query[item.name] = requirement(item.part) }
    fragment = pattern.template.fragment.flatMap(requirement)
  }

  func covers(_ other: LinkDomain) -> Bool {
    guard lengths.contains(other.lengths.lowerBound), lengths.contains(other.lengths.upperBound) else { return false }
    return other.path.enumerated().allSatisfy { path[min($0, path.count - 1)].covers($1) }
      && query.allSatisfy { $1.covers(optional: other.query[$0]) } && fragment?.covers(optional: other.fragment) ?? true
  }

  private var lengths: ClosedRange<Int> {
    switch path.last?.count {
    case .one?, nil: path.count...path.count
    case .optional?: path.count - 1...path.count
    case .repeated?: path.count - 1...Int.max
    }
  }
}

extension LinkRequirement {
  fileprivate init(literal text: String) {
    self.init(expectation: "'\(text)'") { $0 == text ? $0 : nil }
    literal = text
  }

  fileprivate func covers(_ other: LinkRequirement) -> Bool {
    matchesAnything || expectation == other.expectation || other.literal.map { parse($0) != nil } ?? false
  }

  /// The same for a query item or a fragment, which may be absent.
  ///
  /// `nil` is an item that the other link ignores.
  fileprivate func covers(optional other: LinkRequirement?) -> Bool {
    guard count != .one || other?.count == .one else { return false }
    if matchesAnything { return true }
    return other.map { covers($0) && (count != .repeated || $0.count == .repeated) } ?? false
  }
}
