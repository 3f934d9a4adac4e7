internal import Foundation

/// Makes the tree of what `readable` shows of a value.
struct ReadableBuilder {
  private var tree = ValueTree()
  private var types = TypeFactsCache()
  private var objects = VisitedObjects()

  /// The text of a value.
  ///
  /// - Parameter isOnOneLine: Whether children stand beside each other.
  static func text(of value: Any, isOnOneLine: Bool = false) -> String {
    var builder = ReadableBuilder()
    builder.visitAll(value)
    return builder.tree.readableText(isOnOneLine: isOnOneLine)
  }

  private mutating func visitAll(_ value: Any) {
    var frames: [Frame] = []
    if let frame = visit(value, label: nil, under: ValueTree.none) { frames.append(frame) }
    while !frames.isEmpty {
      if let (label, value) = frames[frames.count - 1].children.next() {
        if let frame = visit(value, label: label, under: frames[frames.count - 1].node) { frames.append(frame) }
      } else {
        let done = frames.removeLast()
        if let object = done.object { objects.leave(object) }
        if done.isSortedAfterwards { tree.sortChildren(of: done.node) { $0.readablePrecedes($1, $2) } }
      }
    }
  }

  /// A node whose children are being visited.
  private struct Frame {
    let node: Int
    var children: AnyIterator<(label: String?, value: Any)>
    var isSortedAfterwards = false
    var object: AnyObject?
  }

  /// Adds the node of a value, and says how to go on with its children if there are any.
  private mutating func visit(_ value: Any, label: String?, under parent: Int) -> Frame? {
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      return visit(hashable.base, label: label, under: parent)
    }
    let facts = types.facts(of: type(of: value))
    switch facts.hasFoundationForm ? FoundationForm(of: value, name: facts.name) : nil {
    case .leaf(let text): return leaf(text, label, parent)
    case .value(let value): return visit(value, label: label, under: parent)
    case .members(let members): return branch(facts.name, .parentheses, label, parent, members)
    case .reflected: break
    case nil: if let text = readableLeaf(value, facts) { return leaf(text, label, parent) }
    }
    let mirror = Mirror(reflecting: value)
    let name = types.facts(of: mirror.subjectType).name
    switch mirror.displayStyle {
    case .optional:
      if let (_, wrapped) = mirror.children.first { return visit(wrapped, label: label, under: parent) }
      return leaf("nil", label, parent)
    case .collection: return branch("", .brackets, label, parent, elements(of: mirror))
    case .set: return branch("Set", .set, label, parent, elements(of: mirror), isSorted: true)
    case .dictionary: return branch("", .brackets, label, parent, pairs(of: mirror), isSorted: true)
    case .tuple: return branch("", .parentheses, label, parent, members(of: mirror))
    case .enum:
      guard let (caseName, payload) = mirror.children.first else { return leaf(".\(value)", label, parent) }
      return branch(".\(caseName ?? "_")", .parentheses, label, parent, payloadMembers(of: payload))
    case .class:
      let object = value as AnyObject
      switch objects.enter(object, nodes: tree.nodes.count) {
      case .new: break
      case .circular: return leaf("\(name)(↩︎ shown above)", label, parent)
      case .shared(let number): return leaf("\(name)(↩︎ shown above, object \(number))", label, parent)
      }
      var frame = branch(name, .parentheses, label, parent, members(of: mirror))
      if frame == nil { objects.leave(object) }
      frame?.object = object
      return frame
    default:
      if mirror.children.isEmpty, facts.isStringConvertible { return leaf(String(describing: value), label, parent) }
      return branch(name, .parentheses, label, parent, members(of: mirror))
    }
  }

  private mutating func leaf(_ text: String, _ label: String?, _ parent: Int) -> Frame? {
    _ = tree.add(label: label, shape: .plain, under: parent) { $0.append(contentsOf: text.utf8) }
    return nil
  }

  private mutating func branch(
    _ text: String, _ shape: ValueTree.Shape, _ label: String?, _ parent: Int,
    _ children: [(label: String?, value: Any)],
    isSorted: Bool = false
  ) -> Frame? {
    let node = tree.add(label: label, shape: shape, under: parent) { $0.append(contentsOf: text.utf8) }
    guard !children.isEmpty else { return nil }
    return Frame(node: node, children: AnyIterator(children.makeIterator()), isSortedAfterwards: isSorted)
  }

  private func elements(of mirror: Mirror) -> [(label: String?, value: Any)] { mirror.children.map { (nil, $0.value) } }

  /// The members, those of superclasses first, without labels that are only positions.
  private func members(of mirror: Mirror) -> [(label: String?, value: Any)] {
    var mirrors = [mirror]
    while let parent = mirrors[mirrors.count - 1].superclassMirror { mirrors.append(parent) }
    return mirrors.reversed().flatMap { mirror in
      mirror.children.map { label, value in (label.flatMap { $0.hasPrefix(".") ? nil : $0 }, value) }
    }
  }

  /// What a case carries: the members of a tuple, or the one value itself.
  private func payloadMembers(of payload: Any) -> [(label: String?, value: Any)] {
    let mirror = Mirror(reflecting: payload)
    return mirror.displayStyle == .tuple ? members(of: mirror) : [(nil, payload)]
  }

  /// Keys as labels, each as it is shown by itself, in an order that does not depend on hashes.
  private mutating func pairs(of mirror: Mirror) -> [(label: String?, value: Any)] {
    let pairs: [(label: String?, value: Any)] = mirror.children.map { _, pair in
      let parts = Array(Mirror(reflecting: pair).children)
      guard parts.count == 2 else { return (nil, pair) }
      return (ReadableBuilder.text(of: parts[0].value, isOnOneLine: true), parts[1].value)
    }
    return pairs.sorted { ($0.label ?? "") < ($1.label ?? "") }
  }
}

/// What values look like that are shown in one piece; `nil` for those that are not.
private func readableLeaf(_ value: Any, _ facts: TypeFacts) -> String? {
  switch facts.plain {
  case .string: return (value as? String)?.debugDescription
  case .int: return (value as? Int)?.description
  case .double: return (value as? Double)?.description
  case .bool: return (value as? Bool)?.description
  case .other: break
  }
  switch value {
  case let date as Date: return "Date(\(utcText(of: date, fraction: true)))"
  case let decimal as Decimal: return decimal.description
  case let uuid as UUID: return "UUID(\(uuid.uuidString))"
  case let url as URL:
    return "URL(\(url.baseURL.map { "\(url.relativeString) -- \($0.absoluteString)" } ?? url.absoluteString))"
  case let data as Data: return "Data(\(data.count == 1 ? "1 byte" : "\(data.count) bytes")\(hexadecimal(data)))"
  case let duration as Duration: return "\(duration)"
  case let type as Any.Type: return "\(nameWithoutNumbers(type)).self"
  case let convertible as any AnySnapshotStringConvertible where !facts.rendersChildren:
    return convertible.snapshotDescription
  case _ where facts.isPointer: return "\(facts.name)(…)"
  default: return nil
  }
}

/// All bytes, up to sixteen beside the count and more in rows of 32.
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

extension String {
  /// The text with zeros before it, up to a length.
  func leftPadded(to length: Int) -> String { String(repeating: "0", count: max(0, length - count)) + self }
}
