internal import Foundation

/// The form of the strategy `dump`, which is that of swift-snapshot-testing.
enum StandardForm: DumpForm {
  static func node(of value: Any, _ types: inout TypeFactsCache) -> DumpNode {
    let facts = types.facts(ofValue: value)
    if facts.hasFoundationForm, let text = value as? AttributedString { return DumpNode(text: attributedText(text)) }
    let mirror = Mirror(reflecting: value)
    let count = mirror.children.count
    func name() -> String { types.facts(of: mirror.subjectType).name }
    let object = facts.isObject ? value as AnyObject : nil
    switch mirror.displayStyle {
    case .collection: return node(count == 1 ? "1 element" : "\(count) elements", mirror, object: object)
    case .dictionary:
      return node(count == 1 ? "1 key/value pair" : "\(count) key/value pairs", mirror, isSorted: true, object: object)
    case .set: return node(count == 1 ? "1 member" : "\(count) members", mirror, isSorted: true, object: object)
    case .tuple: return node(count == 1 ? "(1 element)" : "(\(count) elements)", mirror)
    case .optional: return node(count == 0 ? "\(name()).none" : name(), mirror)
    case _ where facts.isSnapshotConvertible:
      let text = (value as? any AnySnapshotStringConvertible)?.snapshotDescription ?? ""
      return facts.rendersChildren ? node(text, mirror, object: object) : DumpNode(text: text)
    case _ where facts.isStringConvertible:
      let text =
        facts.hasOrderedDescription
        ? orderedDescription(of: value) : (value as? any CustomStringConvertible)?.description ?? ""
      return node(text, mirror, object: object)
    case .class: return node(name(), mirror, isSorted: true, object: object)
    case .struct: return node(name(), mirror, isSorted: true)
    case .enum: return node(count == 0 ? "\(name()).\(value)" : name(), mirror)
    default: return node(String(describing: value), mirror)
    }
  }

  /// Members with different simple labels are sorted before they are visited, all others by their texts.
  private static func node(
    _ text: String, _ mirror: Mirror, isSorted: Bool = false, object: AnyObject? = nil
  ) -> DumpNode {
    var node = DumpNode(text: text, object: object)
    guard let first = mirror.children.first else { return node }
    node.children = mirror.children.makeIterator()
    guard isSorted else { return node }
    node.isSorted = true
    guard first.label != nil else { return node }
    let members = mirror.children.sorted { ($0.label ?? "") < ($1.label ?? "") }
    let areDifferent = zip(members, members.dropFirst()).allSatisfy { $0.label != $1.label }
    if areDifferent, members.allSatisfy({ isSimple($0.label) }) {
      node.children = AnyIterator(members.makeIterator())
      node.isSorted = false
    }
    return node
  }

  /// Whether the order of labels is that of their quoted forms.
  private static func isSimple(_ label: String?) -> Bool {
    guard let label, !label.isEmpty else { return false }
    return label.utf8.allSatisfy { $0 > UInt8(ascii: "\"") && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  static func circularNode(_ node: DumpNode) -> DumpNode { DumpNode(text: "", shape: .circular) }

  static func sharedText(_ text: String, number: Int) -> String { "\(text) (shown above, object \(number))" }

  static func sortChildren(of node: Int, in tree: inout ValueTree) {
    tree.sortChildren(of: node, key: { $0.dumpKey(of: $1) }, by: <)
  }
}
