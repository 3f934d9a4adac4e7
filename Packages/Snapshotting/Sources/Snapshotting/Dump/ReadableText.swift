extension ValueTree {
  /// Returns the value as an expression.
  ///
  /// Children are between brackets, on separate lines unless they are short.
  ///
  /// - Parameter isOnOneLine: Whether all children are on one line.
  func readableText(isOnOneLine: Bool = false) -> String {
    guard !nodes.isEmpty else { return "" }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + nodes.count * 12)
    var current = 0
    var depth = 0
    /// The node whose children are on its line, while they are written.
    var inlined = isOnOneLine ? 0 : Self.none
    // Down to the first child, then to the next one, then up, which closes a bracket.
    while true {
      append(current, indented: depth, to: &text)
      if hasChildren(current) {
        if inlined == Self.none, isInline(current) { inlined = current }
        current = nodes[current].firstChild
        depth += 1
        if inlined == Self.none { startLine(depth, &text) }
        continue
      }
      text.append(contentsOf: brackets(of: current).close)
      while current != 0, nodes[current].next == Self.none {
        current = nodes[current].parent
        depth -= 1
        if inlined == Self.none { startLine(depth, &text) }
        text.append(contentsOf: brackets(of: current).close)
        if inlined == current { inlined = Self.none }
      }
      if current == 0 { break }
      text.append(UInt8(ascii: ","))
      current = nodes[current].next
      if inlined == Self.none { startLine(depth, &text) } else { text.append(UInt8(ascii: " ")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a node's children are on its line: a short tuple, associated value or single member.
  private func isInline(_ node: Int) -> Bool {
    guard nodes[node].shape == .parentheses else { return false }
    let child = nodes[node].firstChild
    let start = text(of: node).first
    guard start == nil || start == UInt8(ascii: ".") || nodes[child].next == Self.none else { return false }
    var next = child
    var length = 0
    while next != Self.none {
      guard nodes[next].shape == .plain, !text(of: next).contains(UInt8(ascii: "\n")) else { return false }
      length += nodes[next].end - nodes[next].start
      next = nodes[next].next
    }
    return length <= 60
  }

  private func startLine(_ depth: Int, _ text: inout [UInt8]) {
    text.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { text.append(UInt8(ascii: " ")) }
  }

  private func append(_ node: Int, indented depth: Int, to text: inout [UInt8]) {
    if nodes[node].hasLabel {
      text.append(contentsOf: label(of: node))
      text.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: " ")])
    }
    // Further lines of a text are indented like the first.
    for byte in self.text(of: node) {
      if byte == UInt8(ascii: "\n") { startLine(depth, &text) } else { text.append(byte) }
    }
    text.append(contentsOf: brackets(of: node).open)
  }

  private func brackets(of node: Int) -> (open: String.UTF8View, close: String.UTF8View) {
    switch nodes[node].shape {
    case .plain, .circular: ("".utf8, "".utf8)
    case .parentheses: ("(".utf8, ")".utf8)
    case .brackets: ("[".utf8, "]".utf8)
    case .set: ("([".utf8, "])".utf8)
    }
  }

  /// Whether one element of a set or a dictionary comes before another one: numbers by size, other values by text.
  func readablePrecedes(_ left: Int, _ right: Int) -> Bool {
    var (leftWalk, rightWalk) = (Walk(from: left), Walk(from: right))
    while let leftLine = leftWalk.next(in: self) {
      guard let rightLine = rightWalk.next(in: self) else { return false }
      for isLabel in [true, false] {
        let leftText = isLabel ? label(of: leftLine.node) : text(of: leftLine.node)
        let rightText = isLabel ? label(of: rightLine.node) : text(of: rightLine.node)
        if leftText != rightText { return readablePrecedes(leftText, rightText) }
      }
      if leftLine.depth != rightLine.depth { return leftLine.depth < rightLine.depth }
    }
    return rightWalk.next(in: self) != nil
  }

  private func readablePrecedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    switch (integer(left), integer(right)) {
    case (let left?, let right?) where left != right: left < right
    case (.some, nil): true
    case (nil, .some): false
    default: left.lexicographicallyPrecedes(right)
    }
  }

  /// Returns a text as a number of up to eighteen digits.
  private func integer(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard (1...18).contains(digits.count) else { return nil }
    var number = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return digits.count == text.count ? number : -number
  }
}
