@usableFromInline
struct LinkPattern: Sendable {
  let template: LinkTemplate
  let values: [LinkRequirement]
  let problem: String?
  /// The query items with their order in a printed link: the fixed ones first, because the number of the others varies.
  private let printedItems: [LinkTemplate.Item]

  init(_ template: LinkTemplate, _ values: [LinkRequirement]) {
    self.template = template
    self.values = values
    problem = Self.problem(of: template, values)
    printedItems = template.query.filter { !$0.part.isPlaceholder } + template.query.filter(\.part.isPlaceholder)
  }

  @usableFromInline
  func below(_ prefix: String) -> LinkPattern { LinkPattern(template.below(prefix), values) }
}

extension LinkPattern {
  /// An absent value gives an empty list.
  func read(_ text: LinkText) throws(LinkDiagnosis) -> [[Any]] {
    var read: [[Any]] = []
    var rest = text.segments[...]
    for part in template.path {
      let offset = rest.first?.lowerBound ?? text.pathEnd
      switch part {
      case .literal(let literal):
        guard let segment = rest.popFirst(), text.isText(literal, at: segment) else {
          throw .mismatch(at: offset, "'\(literal)'")
        }
      case .placeholder:
        let value = values[read.count]
        let segments = value.count == .repeated ? rest : rest.prefix(1)
        rest = rest.dropFirst(segments.count)
        if let empty = segments.first(where: \.isEmpty) {
          // The segments before it are read first: the earliest difference counts.
          _ = try value.read(segments.prefix { !$0.isEmpty }, of: text)
          throw .mismatch(at: empty.lowerBound, value.expectation)
        }
        guard value.isComplete(segments.count) else { throw .mismatch(at: offset, value.expectation) }
        read.append(try value.read(segments, of: text))
      }
    }
    if let segment = rest.first { throw .mismatch(at: segment.lowerBound, "the end of the path") }
    for item in template.query {
      guard case .placeholder = item.part else { continue }
      let value = values[read.count]
      let items = text.items(named: item.name).prefix(value.count == .repeated ? .max : 1)
      guard value.isComplete(items.count) else {
        throw LinkDiagnosis(
          kind: .missingQueryItem(item.name), offset: text.queryEnd, expected: [value.expectation])
      }
      read.append(try value.read(items, of: text, plusIsSpace: true))
    }
    if case .placeholder? = template.fragment {
      let value = values[read.count]
      let fragment = text.fragment.map { [$0] } ?? []
      guard value.isComplete(fragment.count) else { throw .mismatch(at: text.bytes.count, value.expectation) }
      read.append(try value.read(fragment[...], of: text))
    }
    if let missing = missingFixedPart(of: text) { throw missing }
    return read
  }

  func missingFixedPart(of text: LinkText) -> LinkDiagnosis? {
    for item in template.query {
      guard case .literal(let value) = item.part else { continue }
      if text.items(named: item.name).contains(where: { text.isText(value, at: $0, plusIsSpace: true) }) { continue }
      return LinkDiagnosis(kind: .missingQueryItem(item.name), offset: text.queryEnd, expected: ["'\(value)'"])
    }
    guard case .literal(let literal)? = template.fragment else { return nil }
    if let fragment = text.fragment, text.isText(literal, at: fragment) { return nil }
    return .mismatch(at: text.fragment?.lowerBound ?? text.bytes.count, "'#\(literal)'")
  }
}

extension LinkPattern {
  func write(_ texts: [[String]?], after prefix: String) throws(LinkPrintingError) -> String {
    guard problem == nil else { throw unprintable(0) }
    var link = prefix
    var next = 0
    func append(_ part: LinkTemplate.Part, _ characters: LinkCharacters, after mark: () -> String)
      throws(LinkPrintingError)
    {
      if case .literal(let text) = part { return link += mark() + characters.encoding(text) }
      guard next < texts.count, let value = texts[next] else { throw unprintable(next) }
      for text in value { link += mark() + characters.encoding(text) }
      next += 1
    }
    var isFirst = true
    for part in template.path {
      if part.isPlaceholder, next < texts.count {
        if texts[next]?.contains("") == true { throw unprintable(next) }
      }
      try append(part, .path) {
        defer { isFirst = false }
        return isFirst ? "" : "/"
      }
    }
    isFirst = true
    for item in printedItems {
      try append(item.part, .query) {
        defer { isFirst = false }
        return (isFirst ? "?" : "&") + LinkCharacters.query.encoding(item.name) + "="
      }
    }
    if let fragment = template.fragment { try append(fragment, .query) { "#" } }
    return link
  }

  private func unprintable(_ value: Int) -> LinkPrintingError {
    let names = template.placeholders
    return .unprintable(placeholder: names.indices.contains(value) ? names[value] : "?", in: template.text)
  }
}
