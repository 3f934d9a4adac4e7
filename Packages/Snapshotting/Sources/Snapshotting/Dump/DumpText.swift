// The lines of `dump`, and their order. The elements of sets and dictionaries are sorted by their own dump as a pair of a label
// and a value, as in swift-snapshot-testing.

extension ValueTree {
  /// Returns all lines of a node and its descendants, indented by twice their depth.
  func dumpText(of root: Int = 0, labelled label: String? = nil, bullet: String = "▿ ") -> String {
    var lines = ""
    visit(from: root) { number, depth in
      let node = nodes[number]
      let label = depth == 0 ? label : node.label
      let isCircular = node.shape == .circular
      if depth > 0 { lines += String(repeating: "  ", count: depth) }
      lines += node.children.isEmpty && !isCircular ? "- " : bullet
      if isCircular {
        lines += label ?? "value"
        lines += " (circular reference detected)"
      } else {
        if let label {
          lines += label
          lines += ": "
        }
        lines += node.text
      }
      lines += "\n"
    }
    return lines
  }

  /// Returns the text by which a node is sorted among its siblings: nodes without a label first, then by the label.
  ///
  /// The bullets are in ASCII, because such texts are compared faster, and have the same order.
  func dumpKey(of node: Int) -> String {
    // All leaves begin with the same text, which comes before that of other nodes.
    let isLeaf = nodes[node].children.isEmpty && nodes[node].shape == .plain
    let text = isLeaf ? "- " + nodes[node].text + "\n" : dumpText(of: node, labelled: "value", bullet: "~ ")
    guard let label = nodes[node].label else { return text }
    return "~~" + label.debugDescription + "\n" + text
  }
}
