struct DumpNode {
  var text: String
  var shape = ValueTree.Shape.plain
  var children: AnyIterator<Mirror.Child>?
  /// Whether the order of the children is that of their texts.
  var isSorted = false
  /// The object, if it can contain itself.
  var object: AnyObject?
  /// The types of the data that the text cannot show.
  var hiddenTypes: [String] = []
}

protocol DumpForm {
  static func node(of value: Any, _ types: inout TypeFactsCache) -> DumpNode

  static func circularNode(_ node: DumpNode) -> DumpNode

  static func sharedText(_ text: String, number: Int) -> String

  static func sortChildren(of node: Int, in tree: inout ValueTree)
}

/// The visit uses a list of frames instead of recursion, so a deep value needs no stack.
struct TreeBuilder {
  private let form: any DumpForm.Type
  private var tree = ValueTree()
  private var types = TypeFactsCache()
  private var objects: VisitedObjects

  private struct Frame {
    let node: Int
    var children: AnyIterator<Mirror.Child>
    let isSorted: Bool
    let object: AnyObject?
  }

  private init(form: any DumpForm.Type, largeDump: Int) {
    self.form = form
    objects = VisitedObjects(largeDump: largeDump)
  }

  /// From `largeDump` nodes on, a shared object is shown only once.
  static func tree(of value: Any, as form: any DumpForm.Type, largeDump: Int = 100_000) -> ValueTree {
    var builder = TreeBuilder(form: form, largeDump: largeDump)
    builder.visitAll(value)
    return builder.tree
  }

  private mutating func visitAll(_ value: Any) {
    var frames: [Frame] = []
    if let frame = visit(value, label: nil, under: nil) { frames.append(frame) }
    while !frames.isEmpty {
      if let (label, value) = frames[frames.count - 1].children.next() {
        if let frame = visit(value, label: label, under: frames[frames.count - 1].node) { frames.append(frame) }
      } else {
        let done = frames.removeLast()
        if let object = done.object { objects.leave(object) }
        if done.isSorted { form.sortChildren(of: done.node, in: &tree) }
      }
    }
  }

  private mutating func visit(_ value: Any, label: String?, under parent: Int?) -> Frame? {
    let plain = types.facts(ofValue: value).plain
    if let text = plainText(of: value, plain) {
      _ = tree.add(ValueTree.Node(label: label, text: text, shape: .plain), under: parent)
      return nil
    }
    var node = form.node(of: value, &types)
    if let object = node.object, node.children != nil {
      switch objects.enter(object, nodes: tree.nodes.count) {
      case .new: break
      case .circular: node = form.circularNode(node)
      case .shared(let number): node = DumpNode(text: form.sharedText(node.text, number: number))
      }
    }
    for type in node.hiddenTypes where !tree.hiddenTypes.contains(type) { tree.hiddenTypes.append(type) }
    let index = tree.add(ValueTree.Node(label: label, text: node.text, shape: node.shape), under: parent)
    return node.children.map { Frame(node: index, children: $0, isSorted: node.isSorted, object: node.object) }
  }
}

/// The text of a value of a common type, which needs no mirror; a string is in quotes.
func plainText(of value: Any, _ plain: TypeFacts.Plain) -> String? {
  switch plain {
  case .string: (value as? String)?.debugDescription
  case .int: (value as? Int)?.description
  case .double: (value as? Double)?.description
  case .bool: (value as? Bool)?.description
  case .other: nil
  }
}
