extension ValueTree {
  /// Returns the value as an expression.
  ///
  /// Children are between brackets, on separate lines unless they are short.
  ///
  /// - Parameter isOnOneLine: Whether all children are on one line.
  func readableText(isOnOneLine: Bool = false) -> String {
    var text = ""
    /// The nodes around the current one, with their next children.
    var open: [(node: Node, next: Int, isInline: Bool)] = []
    func startLine() {
      text += "\n"
      text += String(repeating: "  ", count: open.count)
    }
    func enter(_ node: Node) {
      if let label = node.label {
        text += label
        text += ": "
      }
      // Further lines of a text are indented like the first.
      let lines = node.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        if number > 0 { startLine() }
        text += Substring(line)
      }
      text += node.shape.brackets.open
      open.append((node, 0, open.last?.isInline ?? isOnOneLine || isInline(node)))
    }
    if let root = nodes.first { enter(root) }
    while let (node, next, isInline) = open.last {
      if next < node.children.count {
        if next > 0 { text += "," }
        if !isInline { startLine() } else if next > 0 { text += " " }
        open[open.count - 1].next += 1
        enter(nodes[node.children[next]])
      } else {
        open.removeLast()
        if !isInline, !node.children.isEmpty { startLine() }
        text += node.shape.brackets.close
      }
    }
    return text
  }

  /// Whether a node's children are on its line: a short tuple, associated value or single member.
  private func isInline(_ node: Node) -> Bool {
    guard node.shape == .parentheses, node.text.isEmpty || node.text.hasPrefix(".") || node.children.count == 1 else {
      return false
    }
    var length = 0
    for child in node.children.lazy.map({ nodes[$0] }) {
      guard child.shape == .plain, !child.text.utf8.contains(UInt8(ascii: "\n")) else { return false }
      length += (child.label?.utf8.count ?? 0) + child.text.utf8.count
    }
    return length <= 60
  }

  /// Returns the lines by which a node is sorted among its siblings.
  func readableKey(of node: Int) -> [ReadableLine] {
    preorder(from: node).map { ReadableLine(depth: $1, label: nodes[$0].label ?? "", text: nodes[$0].text) }
  }
}

extension ValueTree.Shape {
  fileprivate var brackets: (open: String, close: String) {
    switch self {
    case .plain, .circular: ("", "")
    case .parentheses: ("(", ")")
    case .brackets: ("[", "]")
    case .set: ("([", "])")
    }
  }
}

/// A line of an element of a set or a dictionary.
///
/// Numbers are sorted by size, other values by the bytes of their text.
struct ReadableLine {
  let depth: Int
  let label: String
  let text: String

  static func precede(_ left: [Self], _ right: [Self]) -> Bool {
    for (left, right) in zip(left, right) {
      for (left, right) in [(left.label, right.label), (left.text, right.text)]
      where !left.utf8.elementsEqual(right.utf8) { return precedes(left, right) }
      if left.depth != right.depth { return left.depth < right.depth }
    }
    return left.count < right.count
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    switch (Int(left), Int(right)) {
    case (let left?, let right?) where left != right: left < right
    case (.some, nil): true
    case (nil, .some): false
    default: left.utf8.lexicographicallyPrecedes(right.utf8)
    }
  }
}
