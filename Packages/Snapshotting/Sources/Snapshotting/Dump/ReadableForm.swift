internal import Foundation

enum ReadableForm: DumpForm {
  static func node(of value: Any, _ types: inout TypeFactsCache) -> DumpNode {
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      return node(of: hashable.base, &types)
    }
    let facts = types.facts(of: type(of: value))
    var node = content(of: value, facts, &types)
    if facts.isObject, node.children != nil { node.object = value as AnyObject }
    return node
  }

  private static func content(of value: Any, _ facts: TypeFacts, _ types: inout TypeFactsCache) -> DumpNode {
    switch facts.hasFoundationForm ? FoundationContent(of: value, name: facts.name) : nil {
    case .leaf(let text): return DumpNode(text: text)
    case .value(let value): return node(of: value, &types)
    case .members(let members): return branch(facts.name, .parentheses, members)
    case .object: return branch(facts.name, .parentheses, members(of: Mirror(reflecting: value)))
    case .hidden: return DumpNode(text: "\(facts.name)(…)", hiddenTypes: [facts.name])
    case .reflected: break
    case nil: if let text = readableLeaf(value, facts) { return DumpNode(text: text) }
    }
    let mirror = Mirror(reflecting: value)
    let name = types.facts(of: mirror.subjectType).name
    switch mirror.displayStyle {
    case .optional:
      guard let (_, content) = mirror.children.first else { return DumpNode(text: "nil") }
      let inner = Mirror(reflecting: content)
      // An optional of `nil` differs from `nil`.
      if inner.displayStyle == .optional, inner.children.isEmpty { return DumpNode(text: ".some(nil)") }
      return node(of: content, &types)
    case .collection: return branch("", .brackets, elements(of: mirror))
    case .set: return branch("Set", .set, elements(of: mirror), isSorted: true)
    case .dictionary:
      var hiddenTypes: [String] = []
      var node = branch("", .brackets, pairs(of: mirror, &hiddenTypes), isSorted: true)
      node.hiddenTypes = hiddenTypes
      return node
    case .tuple: return branch("", .parentheses, members(of: mirror))
    case .enum:
      guard let (caseName, payload) = mirror.children.first else { return DumpNode(text: ".\(value)") }
      return branch(".\(caseName ?? "_")", .parentheses, payloadMembers(of: payload))
    case .class: return branch(name, .parentheses, members(of: mirror))
    default:
      if mirror.children.isEmpty, facts.isStringConvertible { return DumpNode(text: String(describing: value)) }
      return branch(name, .parentheses, members(of: mirror))
    }
  }

  static func circularNode(_ node: DumpNode) -> DumpNode { DumpNode(text: "\(node.text)(↩︎ shown above)") }

  static func sharedText(_ text: String, number: Int) -> String { "\(text)(↩︎ shown above, object \(number))" }

  static func sortChildren(of node: Int, in tree: inout ValueTree) {
    tree.sortChildren(of: node, key: { $0.readableKey(of: $1) }, by: ReadableLine.precede)
  }

  private static func branch(
    _ text: String, _ shape: ValueTree.Shape, _ children: [Mirror.Child], isSorted: Bool = false
  ) -> DumpNode {
    let iterator = children.isEmpty ? nil : AnyIterator(children.makeIterator())
    return DumpNode(text: text, shape: shape, children: iterator, isSorted: isSorted)
  }

  private static func elements(of mirror: Mirror) -> [Mirror.Child] { mirror.children.map { (nil, $0.value) } }

  /// The members, those of superclasses first, without labels that are only positions.
  private static func members(of mirror: Mirror) -> [Mirror.Child] {
    var mirrors = [mirror]
    while let parent = mirrors[mirrors.count - 1].superclassMirror { mirrors.append(parent) }
    return mirrors.reversed().flatMap { mirror in
      mirror.children.map { label, value in (label.flatMap { $0.hasPrefix(".") ? nil : $0 }, value) }
    }
  }

  private static func payloadMembers(of payload: Any) -> [Mirror.Child] {
    let mirror = Mirror(reflecting: payload)
    return mirror.displayStyle == .tuple ? members(of: mirror) : [(nil, payload)]
  }

  /// The values with their keys as labels, in an order that does not depend on hashes.
  private static func pairs(of mirror: Mirror, _ hiddenTypes: inout [String]) -> [Mirror.Child] {
    let pairs: [Mirror.Child] = mirror.children.map { _, pair in
      let parts = Array(Mirror(reflecting: pair).children)
      guard parts.count == 2 else { return (nil, pair) }
      let key = TreeBuilder.tree(of: parts[0].value, as: ReadableForm.self)
      hiddenTypes += key.hiddenTypes
      return (key.readableText(isOnOneLine: true), parts[1].value)
    }
    return pairs.sorted { ($0.label ?? "") < ($1.label ?? "") }
  }
}

private func readableLeaf(_ value: Any, _ facts: TypeFacts) -> String? {
  if let text = plainText(of: value, facts.plain) { return text }
  switch value {
  case let date as Date: return "Date(\(utcText(of: date, fraction: true)))"
  case let decimal as Decimal: return decimal.description
  case let uuid as UUID: return "UUID(\(uuid.uuidString))"
  case let url as URL:
    return "URL(\(url.baseURL.map { "\(url.relativeString) -- \($0.absoluteString)" } ?? url.absoluteString))"
  case let data as Data: return "Data(\(data.count == 1 ? "1 byte" : "\(data.count) bytes")\(hexadecimal(data)))"
  case let duration as Duration: return "\(duration)"
  // Their mirrors show values of the compiler.
  case let number as any BinaryFloatingPoint: return "\(number)"
  case let vector as any SIMD: return "\(vector)"
  case let type as Any.Type: return "\(nameWithoutNumbers(type)).self"
  case let convertible as any AnySnapshotStringConvertible where !facts.rendersChildren:
    return convertible.snapshotDescription
  case _ where facts.isPointer: return "\(facts.name)(…)"
  default: return nil
  }
}

/// Returns all bytes: up to sixteen after the count, more in rows of 32.
private func hexadecimal(_ data: Data) -> String {
  guard !data.isEmpty else { return "" }
  let digits = Array("0123456789abcdef".utf8)
  var text = Array(", ".utf8)
  text.reserveCapacity(data.count * 3 + 2)
  for (offset, byte) in data.enumerated() {
    if offset % 32 == 0, data.count > 16 {
      text.append(UInt8(ascii: "\n"))
    } else if offset > 0 {
      text.append(UInt8(ascii: " "))
    }
    text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
  return String(decoding: text, as: UTF8.self)
}
