extension ValueTree {
  /// Children are between brackets, on separate lines unless they are short.
  func readableText(isOnOneLine: Bool = false) -> String {
    var text = ""
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

  func readableKey(of node: Int) -> [ReadableLine] {
    var lines: [ReadableLine] = []
    visit(from: node) { number, depth in
      let (label, text) = (nodes[number].label ?? "", nodes[number].text)
      lines.append(ReadableLine(depth: depth, label: ReadableWord(label), text: ReadableWord(text)))
    }
    return lines
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

struct ReadableLine {
  let depth: Int
  let label: ReadableWord
  let text: ReadableWord

  static func precede(_ left: [Self], _ right: [Self]) -> Bool {
    for (left, right) in zip(left, right) {
      if let order = left.label.precedes(right.label) ?? left.text.precedes(right.text) { return order }
      if left.depth != right.depth { return left.depth < right.depth }
    }
    return left.count < right.count
  }
}

/// A text that is sorted by its size if it is a number, and by its bytes otherwise.
struct ReadableWord {
  private let text: String
  private let number: Int?

  init(_ text: String) {
    self.text = text
    number = Int(text)
  }

  func precedes(_ other: Self) -> Bool? {
    switch (number, other.number) {
    case (let left?, let right?) where left != right: return left < right
    case (.some, nil): return true
    case (nil, .some): return false
    default:
      return text.utf8.elementsEqual(other.text.utf8) ? nil : text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
  }
}
