extension LinkPattern {
  /// Returns the mistake in a declaration; `nil` if it is valid.
  static func problem(of template: LinkTemplate, _ values: [LinkRequirement]) -> String? {
    let names = template.placeholders
    guard names.count == values.count else {
      return "the link '\(template.text)' needs a value for each placeholder; placeholders: \(names.count), values: "
        + "\(values.count)"
    }
    for (name, value) in zip(names, values) where value.isNested {
      return
        "in the link '\(template.text)', ':\(name)' combines optional or repeated more than once, which is ambiguous; "
        + "use only one of them"
    }
    var path = template.path
    path.removeLast(path.isEmpty ? 0 : 1)
    for (part, value) in zip(path.filter(\.isPlaceholder), values) where value.count != .one {
      return "in the link '\(template.text)', '\(part)' is optional or repeated and must be at the end of the path"
    }
    if case .placeholder? = template.fragment, values.last?.count == .repeated {
      return "the link '\(template.text)' repeats its fragment, but a link has only one fragment"
    }
    var items: Set<String> = []
    for item in template.query where !items.insert(item.name).inserted {
      return
        "the link '\(template.text)' has the query item '\(item.name)' twice; declare it once, with a repeated value"
    }
    return nil
  }

  /// Returns the mistakes in all declarations, and the links that are never reached.
  static func problems(of patterns: [LinkPattern], scheme: String) -> [String] {
    var problems = patterns.compactMap(\.problem)
    if scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) == nil {
      problems.insert("'\(scheme)' is not a valid scheme; use a letter, then letters, digits, '+', '-' and '.'", at: 0)
    }
    // Only paths of the same length can hide each other.
    var byCount: [Int: [LinkPattern]] = [:]
    for pattern in patterns where pattern.problem == nil {
      let count = pattern.template.path.count
      if let earlier = byCount[count]?.first(where: { $0.hides(pattern) }) {
        problems.append(
          "the link '\(pattern.template.text)' is never reached: the earlier '\(earlier.template.text)' matches all of its "
            + "links; declare '\(pattern.template.text)' first")
      }
      if pattern.matchesAnyValues { byCount[count, default: []].append(pattern) }
    }
    return problems
  }

  /// Whether the pattern matches every link whose path has the pattern's literals.
  private var matchesAnyValues: Bool {
    let inPath = template.path.filter(\.isPlaceholder).count
    return template.query.allSatisfy(\.part.isPlaceholder) && template.fragment?.isPlaceholder ?? true
      && values.enumerated().allSatisfy { $1.matchesAnything && ($0 < inPath || $1.count != .one) }
  }

  private func hides(_ later: LinkPattern) -> Bool {
    zip(template.path, later.template.path).allSatisfy { $0.isPlaceholder || $0 == $1 }
  }
}

extension LinkTemplate.Part: CustomStringConvertible {
  var isPlaceholder: Bool { if case .placeholder = self { true } else { false } }

  func encoded(_ characters: LinkCharacters) -> Self {
    if case .literal(let text) = self { .literal(characters.encoding(text)) } else { self }
  }

  var description: String {
    switch self {
    case .literal(let text): text
    case .placeholder(let name): ":\(name)"
    }
  }
}
