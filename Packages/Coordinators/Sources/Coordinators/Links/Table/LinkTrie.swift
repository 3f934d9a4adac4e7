/// The paths of all links in one tree: from node to node by the segments of a path.
struct LinkTrie: Sendable {
  private struct Node: Sendable {
    /// The nodes after literal segments.
    var literals: [ArraySlice<UInt8>: Int] = [:]
    /// The node after any segment that is not empty.
    var anything: Int?
    /// Links that end here.
    var ends: [Int] = []
    /// Links that take all that follows.
    var rests: [Int] = []
  }

  private var nodes = [Node()]
  private var longestLiteral = 0

  /// The node after a literal, which is made if it is not there.
  mutating func add(_ literal: String, after node: Int) -> Int {
    let bytes = Array(literal.utf8)[...]
    if let known = nodes[node].literals[bytes] { return known }
    longestLiteral = max(longestLiteral, bytes.count)
    nodes[node].literals[bytes] = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The node after any segment, which is made if it is not there.
  mutating func addAnything(after node: Int) -> Int {
    if let known = nodes[node].anything { return known }
    nodes[node].anything = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  mutating func addEnd(_ link: Int, at node: Int) { nodes[node].ends.append(link) }
  mutating func addRest(_ link: Int, at node: Int) { nodes[node].rests.append(link) }

  /// The links whose path has this shape, in no order.
  ///
  /// Every node is visited once at most.
  func candidates(_ bytes: [UInt8], _ segments: [ByteRange]) -> [Int] {
    var found: [Int] = []
    walk(0, 0, bytes, segments, &found)
    return found
  }

  private func walk(_ node: Int, _ depth: Int, _ bytes: [UInt8], _ segments: [ByteRange], _ found: inout [Int]) {
    found += nodes[node].rests
    guard depth < segments.count else {
      found += nodes[node].ends
      return
    }
    let segment = segments[depth]
    if let literal = literal(after: node, bytes, segment) { walk(literal, depth + 1, bytes, segments, &found) }
    if let anything = nodes[node].anything, segment.start < segment.end {
      walk(anything, depth + 1, bytes, segments, &found)
    }
  }

  private func literal(after node: Int, _ bytes: [UInt8], _ range: ByteRange) -> Int? {
    // Even with each of its bytes encoded, no literal is as long.
    guard range.end - range.start <= longestLiteral * 3 else { return nil }
    let segment = bytes[range.start..<range.end]
    guard segment.contains(UInt8(ascii: "%")) else { return nodes[node].literals[segment] }
    var malformed = 0
    return percentDecoded(bytes, range, plusIsSpace: false, malformedAt: &malformed).flatMap {
      nodes[node].literals[$0[...]]
    }
  }
}
