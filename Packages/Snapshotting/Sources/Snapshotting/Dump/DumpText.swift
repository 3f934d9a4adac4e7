// The lines of `dump`, and their order. The elements of sets and dictionaries are sorted by their own dump as a pair of a label
// and a value, as in swift-snapshot-testing.

extension ValueTree {
  /// Returns all lines of a node and its descendants, indented by twice their depth.
  ///
  /// - Parameters:
  ///   - root: The number of the node.
  ///   - label: The label of the node.
  func dumpText(of root: Int = 0, labelled label: String? = nil) -> String {
    var lines = ""
    for (number, depth) in preorder(from: root) {
      let node = nodes[number]
      let label = depth == 0 ? label : node.label
      let isCircular = node.shape == .circular
      lines += String(repeating: "  ", count: depth)
      lines += node.children.isEmpty && !isCircular ? "- " : "▿ "
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

  /// Returns the text by which a node is sorted among its siblings: first by its label.
  func dumpKey(of node: Int) -> (label: String, text: String) {
    (nodes[node].label.map { $0.debugDescription + "\n" } ?? "", dumpText(of: node, labelled: "value"))
  }
}
