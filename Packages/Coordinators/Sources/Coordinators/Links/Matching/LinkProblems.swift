extension LinkPattern {
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
    let early = template.path.dropLast().count { $0.isPlaceholder }
    for (name, value) in zip(names, values).prefix(early) where value.count != .one {
      return "in the link '\(template.text)', ':\(name)' is optional or repeated and must be at the end of the path"
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

  static func problems(of patterns: [LinkPattern], scheme: String) -> [String] {
    var problems = patterns.compactMap(\.problem)
    if scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) == nil {
      problems.insert("'\(scheme)' is not a valid scheme; use a letter, then letters, digits, '+', '-' and '.'", at: 0)
    }
    let valid = patterns.filter { $0.problem == nil }.map { (text: $0.template.text, domain: LinkDomain($0)) }
    for (index, link) in valid.enumerated() {
      guard let earlier = valid[..<index].first(where: { $0.domain.covers(link.domain) }) else { continue }
      let advice =
        link.domain.covers(earlier.domain)
        ? "the same links; remove one of them" : "all of its links; declare '\(link.text)' first"
      problems.append("the link '\(link.text)' is never reached: the earlier '\(earlier.text)' matches \(advice)")
    }
    return problems
  }
}

extension LinkTemplate.Part {
  var isPlaceholder: Bool { if case .placeholder = self { true } else { false } }
}
