/// A link's template and values, made ready: where each value is read, and what is written around it.
struct LinkLayout: Sendable {
  private(set) var slots: [LinkSlot] = []
  private(set) var operations: [LinkOperation] = []
  /// What is written after the last value.
  private(set) var after: [UInt8] = []
  /// What is wrong with the declaration.
  private(set) var problem: String?
  let template: LinkTemplate
  let requirements: [LinkRequirement]
  private var fixedItems: [(name: LinkItemName, value: [UInt8])] = []
  private var fixedFragment: [UInt8]?

  init(_ template: LinkTemplate, _ requirements: [LinkRequirement]) {
    self.template = template
    self.requirements = requirements
    problem = Self.problem(of: template, requirements)
    guard problem == nil else { return }
    layOutPath()
    layOutQuery()
    if let fragment = template.fragment {
      switch fragment {
      case .placeholder: append(.fragment, .fragment)
      case .literal(let text):
        fixedFragment = Array(text.utf8)
        pending += [UInt8(ascii: "#")] + percentEncoded(text, .query)
      }
    }
    after = pending
  }

  /// Literals that were not written yet.
  private var pending: [UInt8] = []
  private var pendingBeginsQuery = false

  private mutating func append(_ slot: LinkSlot, _ place: LinkOperation.Place) {
    slots.append(slot)
    operations.append(LinkOperation(before: pending, beginsQuery: pendingBeginsQuery, place: place))
    pending = []
    pendingBeginsQuery = false
  }

  private mutating func layOutPath() {
    for (index, part) in template.path.enumerated() {
      switch part {
      case .literal(let text):
        if index > 0 { pending.append(UInt8(ascii: "/")) }
        pending += percentEncoded(text, .path)
      case .placeholder:
        let isRepeated = requirements[slots.count].count == .repeated
        append(isRepeated ? .rest(from: index) : .segment(index), .path(needsSlash: index > 0))
      }
    }
  }

  /// Fixed items are written first: their order means nothing, and so the others need not know where they are.
  private mutating func layOutQuery() {
    for item in template.query {
      guard case .literal(let text) = item.part else { continue }
      fixedItems.append((LinkItemName(item.name), Array(text.utf8)))
      pending.append(fixedItems.count == 1 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
      pending += percentEncoded(item.name, .query) + [UInt8(ascii: "=")] + percentEncoded(text, .query)
      pendingBeginsQuery = true
    }
    for item in template.query {
      guard case .placeholder = item.part else { continue }
      append(.item(LinkItemName(item.name)), .item(name: percentEncoded(item.name, .query)))
    }
  }

  /// Whether the query and the fragment have what they need to have, whatever the values are.
  ///
  /// - Returns: What is not there, in words, or `nil`.
  func missingFixedPart(_ reader: inout LinkReader) -> String? {
    for item in fixedItems where !reader.hasItem(item.name, item.value) {
      return "'\(String(decoding: item.value, as: UTF8.self))'"
    }
    if let fixedFragment, !reader.hasFragment(fixedFragment) {
      return "'#\(String(decoding: fixedFragment, as: UTF8.self))'"
    }
    return nil
  }

  /// Whether anything stands fixed in the query and the fragment, which is rare.
  var hasFixedParts: Bool { !fixedItems.isEmpty || fixedFragment != nil }

  /// Adds the path to a trie.
  func add(_ index: Int, to trie: inout LinkTrie) {
    var node = 0
    var value = 0
    for part in template.path {
      switch part {
      case .literal(let text): node = trie.add(text, after: node)
      case .placeholder:
        let requirement = requirements[value]
        value += 1
        if requirement.count == .repeated { return trie.addRest(index, at: node) }
        if requirement.count == .optional { trie.addEnd(index, at: node) }
        node = trie.addAnything(after: node)
      }
    }
    trie.addEnd(index, at: node)
  }
}

extension LinkLayout {
  private static func problem(of template: LinkTemplate, _ requirements: [LinkRequirement]) -> String? {
    let names = template.placeholders
    guard names.count == requirements.count else {
      return
        "the link '\(template.text)' needs a value for each placeholder; placeholders: \(names.count), values: "
        + "\(requirements.count)"
    }
    for (name, requirement) in zip(names, requirements) where requirement.isNested {
      return
        "in the link '\(template.text)', ':\(name)' combines optional or repeated more than once, which is ambiguous; use "
        + "only one of them"
    }
    var value = 0
    for (index, part) in template.path.enumerated() {
      guard case .placeholder(let name) = part else { continue }
      if requirements[value].count != .one, index < template.path.count - 1 {
        return
          "in the link '\(template.text)', ':\(name)' is optional or repeated and must be at the end of the path"
      }
      value += 1
    }
    if case .placeholder? = template.fragment, requirements.last?.count == .repeated {
      return "the link '\(template.text)' repeats its fragment, but a link has only one fragment"
    }
    var items: Set<String> = []
    for item in template.query where !items.insert(item.name).inserted {
      return
        "the link '\(template.text)' has the query item '\(item.name)' twice; declare it once, with a repeated value"
    }
    return nil
  }

  /// What is wrong with single links, and what comes of their order.
  static func problems(of layouts: [LinkLayout], scheme: String) -> [String] {
    var problems = layouts.compactMap(\.problem)
    let isScheme =
      scheme.utf8.first.map { ByteSet.letters.contains($0) } == true
      && scheme.utf8.allSatisfy { ByteSet.schemeCharacters.contains($0) }
    if !isScheme {
      problems.insert("'\(scheme)' is not a valid scheme; use a letter, then letters, digits, '+', '-' and '.'", at: 0)
    }
    // Only paths of the same length can hide each other, apart from those with a rest.
    var byCount: [Int: [LinkLayout]] = [:]
    for layout in layouts where layout.problem == nil {
      if let earlier = byCount[layout.template.path.count]?.first(where: { $0.hides(layout) }) {
        problems.append(
          "the link '\(layout.template.text)' is never reached: the earlier '\(earlier.template.text)' matches all of its "
            + "links; declare '\(layout.template.text)' first")
      }
      if layout.takesAnyQuery { byCount[layout.template.path.count, default: []].append(layout) }
    }
    return problems
  }

  /// Whether it asks nothing of the query and the fragment, and takes any text in the path.
  private var takesAnyQuery: Bool {
    fixedItems.isEmpty && fixedFragment == nil
      && zip(slots, requirements).allSatisfy { slot, requirement in
        switch slot {
        case .segment, .rest: requirement.takesAnything
        case .item, .fragment: requirement.takesAnything && requirement.count != .one
        }
      }
  }

  private func hides(_ later: LinkLayout) -> Bool {
    zip(template.path, later.template.path).allSatisfy { mine, other in
      if case .placeholder = mine { true } else { mine == other }
    }
  }
}

extension ByteSet {
  fileprivate static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  fileprivate static let schemeCharacters = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.")
}
