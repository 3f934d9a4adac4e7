internal import Foundation

/// Makes the tree of a value's `dump`.
struct DumpBuilder {
  private var tree = ValueTree()
  private var types = TypeFactsCache()
  private var objects = VisitedObjects()

  /// The text of a value.
  static func text(of value: Any) -> String {
    var builder = DumpBuilder()
    builder.visitAll(value)
    return builder.tree.dumpText()
  }

  /// A node whose children are being visited.
  private struct Frame {
    let node: Int
    var children: AnyIterator<Mirror.Child>
    var isSortedAfterwards = false
    var object: AnyObject?
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
        if done.isSortedAfterwards { tree.sortChildren(of: done.node) { $0.dumpPrecedes($1, $2) } }
      }
    }
  }

  /// Adds the node of a value, and says how to go on with its children if there are any.
  private mutating func visit(_ value: Any, label: String?, under parent: Int) -> Frame? {
    let facts = types.facts(ofValue: value)
    if let text = plainText(of: value, facts.plain) {
      _ = tree.add(label: label, shape: .plain, under: parent) {
        append(text, isQuoted: facts.plain == .string, to: &$0)
      }
      return nil
    }
    if facts.hasFoundationForm, let text = value as? AttributedString {
      _ = tree.add(label: label, shape: .plain, under: parent) { $0.append(contentsOf: attributedText(text).utf8) }
      return nil
    }
    let mirror = Mirror(reflecting: value)
    let count = mirror.children.count
    let style = mirror.displayStyle
    var (isSorted, object): (Bool, AnyObject?) = (false, nil)
    let description: String
    switch style {
    case .collection: description = count == 1 ? "1 element" : "\(count) elements"
    case .dictionary: (description, isSorted) = (count == 1 ? "1 key/value pair" : "\(count) key/value pairs", true)
    case .set: (description, isSorted) = (count == 1 ? "1 member" : "\(count) members", true)
    case .tuple: description = count == 1 ? "(1 element)" : "(\(count) elements)"
    case .optional:
      let name = types.facts(of: mirror.subjectType).name
      description = count == 0 ? "\(name).none" : name
    case _ where facts.isSnapshotConvertible:
      description = (value as? any AnySnapshotStringConvertible)?.snapshotDescription ?? ""
      if !facts.rendersChildren {
        _ = tree.add(label: label, shape: .plain, under: parent) { $0.append(contentsOf: description.utf8) }
        return nil
      }
      object = identity(of: value, style)
    case _ where facts.isStringConvertible:
      description =
        facts.hasOrderedDescription
        ? orderedDescription(of: value) : (value as? any CustomStringConvertible)?.description ?? ""
      object = identity(of: value, style)
    case .class:
      (description, isSorted, object) = (types.facts(of: mirror.subjectType).name, true, identity(of: value, style))
    case .struct: (description, isSorted) = (types.facts(of: mirror.subjectType).name, true)
    case .enum:
      let name = types.facts(of: mirror.subjectType).name
      description = count == 0 ? "\(name).\(value)" : name
    default: description = String(describing: value)
    }

    if let object, count > 0 {
      switch objects.enter(object, nodes: tree.nodes.count) {
      case .new: break
      case .circular:
        _ = tree.add(label: label, shape: .circular, under: parent) { _ in }
        return nil
      case .shared(let number):
        _ = tree.add(label: label, shape: .plain, under: parent) {
          $0.append(contentsOf: "\(description) (shown above, object \(number))".utf8)
        }
        return nil
      }
    }
    let node = tree.add(label: label, shape: .plain, under: parent) {
      $0.append(contentsOf: description.utf8)
    }
    guard count > 0 else { return nil }
    return frame(for: mirror.children, of: node, isSorted: isSorted, object: object)
  }

  /// Members with names of their own are put in order before they are visited, all others by what they look like.
  private func frame(for children: Mirror.Children, of node: Int, isSorted: Bool, object: AnyObject?) -> Frame {
    guard isSorted else { return Frame(node: node, children: children.makeIterator(), object: object) }
    guard let first = children.first, first.label != nil else {
      return Frame(node: node, children: children.makeIterator(), isSortedAfterwards: true, object: object)
    }
    var members = Array(children)
    members.sort { ($0.label ?? "") < ($1.label ?? "") }
    let areOrdered = zip(members, members.dropFirst()).allSatisfy { isSimple($0.label) && $0.label != $1.label }
    guard areOrdered, isSimple(members[members.count - 1].label) else {
      return Frame(node: node, children: children.makeIterator(), isSortedAfterwards: true, object: object)
    }
    return Frame(node: node, children: AnyIterator(members.makeIterator()), object: object)
  }

  /// Whether the order of labels is that of their quoted forms.
  private func isSimple(_ label: String?) -> Bool {
    guard let label, !label.isEmpty else { return false }
    return label.utf8.allSatisfy { $0 > UInt8(ascii: "\"") && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  private func identity(of value: Any, _ style: Mirror.DisplayStyle?) -> AnyObject? {
    style == .class ? value as AnyObject : nil
  }
}

private func plainText(of value: Any, _ plain: TypeFacts.Plain) -> String? {
  switch plain {
  case .string: value as? String
  case .int: (value as? Int)?.description
  case .double: (value as? Double)?.description
  case .bool: (value as? Bool)?.description
  case .other: nil
  }
}

private func append(_ text: String, isQuoted: Bool, to bytes: inout [UInt8]) {
  guard isQuoted else { return bytes.append(contentsOf: text.utf8) }
  let isPlain = text.utf8.allSatisfy {
    $0 >= UInt8(ascii: " ") && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
  }
  guard isPlain else { return bytes.append(contentsOf: text.debugDescription.utf8) }
  bytes.append(UInt8(ascii: "\""))
  bytes.append(contentsOf: text.utf8)
  bytes.append(UInt8(ascii: "\""))
}
