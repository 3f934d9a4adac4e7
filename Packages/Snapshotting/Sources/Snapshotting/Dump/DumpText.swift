// The lines of `dump`, and their order. The elements of sets and dictionaries are sorted by their own dump as a pair of a label
// and a value, as in swift-snapshot-testing.

private let branchBullet = Array("▿ ".utf8)
private let leafBullet = Array("- ".utf8)
private let circularText = Array(" (circular reference detected)".utf8)
private let defaultLabel = Array("value".utf8)
private let lineEnd = UInt8(ascii: "\n")

extension ValueTree {
  /// Returns all lines, indented by twice their depth.
  func dumpText() -> String {
    guard !nodes.isEmpty else { return "" }
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count + nodes.count * 12)
    var walk = Walk(from: 0)
    while let (node, depth) = walk.next(in: self) {
      for _ in 0..<depth * 2 { lines.append(UInt8(ascii: " ")) }
      appendLine(of: node, labelled: nodes[node].hasLabel ? label(of: node) : nil, to: &lines)
    }
    return String(decoding: lines, as: UTF8.self)
  }

  private func appendLine(of node: Int, labelled label: ArraySlice<UInt8>?, to lines: inout [UInt8]) {
    let isCircular = nodes[node].shape == .circular
    lines.append(contentsOf: hasChildren(node) || isCircular ? branchBullet : leafBullet)
    if isCircular {
      lines.append(contentsOf: label ?? defaultLabel[...])
      lines.append(contentsOf: circularText)
    } else {
      if let label {
        lines.append(contentsOf: label)
        lines.append(UInt8(ascii: ":"))
        lines.append(UInt8(ascii: " "))
      }
      lines.append(contentsOf: text(of: node))
    }
    lines.append(lineEnd)
  }

  /// Whether one child comes before another one in a sorted node.
  func dumpPrecedes(_ left: Int, _ right: Int) -> Bool {
    guard nodes[left].hasLabel == nodes[right].hasLabel else { return !nodes[left].hasLabel }
    if nodes[left].hasLabel {
      let (leftLabel, rightLabel) = (quotedLabel(of: left), quotedLabel(of: right))
      if leftLabel != rightLabel { return leftLabel < rightLabel }
    }
    var (leftWalk, rightWalk) = (Walk(from: left), Walk(from: right))
    while let leftLine = leftWalk.next(in: self) {
      guard let rightLine = rightWalk.next(in: self) else { return false }
      let order = compareLines(leftLine, rightLine)
      if order != 0 { return order < 0 }
    }
    return rightWalk.next(in: self) != nil
  }

  private func quotedLabel(of node: Int) -> String {
    String(decoding: label(of: node), as: UTF8.self).debugDescription + "\n"
  }

  /// Compares two lines by their canonical normal forms.
  private func compareLines(_ left: (node: Int, depth: Int), _ right: (node: Int, depth: Int)) -> Int {
    let (leftNode, rightNode) = (nodes[left.node], nodes[right.node])
    let isSameStart =
      left.depth == right.depth && leftNode.shape == .plain && rightNode.shape == .plain
      && hasChildren(left.node) == hasChildren(right.node)
      && (left.depth == 0 || (leftNode.hasLabel == rightNode.hasLabel && label(of: left.node) == label(of: right.node)))
    if isSameStart && leftNode.isASCII && rightNode.isASCII {
      return compare(leftNode.labelEnd..<leftNode.end, rightNode.labelEnd..<rightNode.end)
    }
    let (leftText, rightText) = (keyLine(of: left), keyLine(of: right))
    return leftText == rightText ? 0 : leftText < rightText ? -1 : 1
  }

  /// Compares two parts of the buffer as if a line end followed each.
  private func compare(_ left: Range<Int>, _ right: Range<Int>) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      let shared = min(left.count, right.count)
      for offset in 0..<shared {
        let (leftByte, rightByte) = (bytes[left.lowerBound + offset], bytes[right.lowerBound + offset])
        if leftByte != rightByte { return leftByte < rightByte ? -1 : 1 }
      }
      if left.count == right.count { return 0 }
      return left.count < right.count
        ? (bytes[right.lowerBound + shared] < lineEnd ? 1 : -1)
        : (bytes[left.lowerBound + shared] < lineEnd ? -1 : 1)
    }
  }

  private func keyLine(of line: (node: Int, depth: Int)) -> String {
    var bytes = [UInt8](repeating: UInt8(ascii: " "), count: line.depth * 2)
    let ownLabel = nodes[line.node].hasLabel ? label(of: line.node) : nil
    appendLine(of: line.node, labelled: line.depth == 0 ? defaultLabel[...] : ownLabel, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
