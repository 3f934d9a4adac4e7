/// The paths of all links in one tree: from node to node by the segments of a path.
///
/// An edge is found by one look into a hash table over all nodes and segments, so it does not matter how many there are.
struct LinkTrie: Sendable {
  struct Node: Sendable {
    /// The node after any segment that is not empty; -1 for none.
    var anything: Int32 = -1
    /// Links that end here.
    var ends: [Int32] = []
    /// Links that take all that follows.
    var rests: [Int32] = []
  }

  private struct Edge: Sendable {
    var node: Int32
    var child: Int32
    var hash: UInt64
    var literal: [UInt8]
  }

  private(set) var nodes = [Node()]
  private var edges: [Edge] = []
  private var slots: [Int32] = Array(repeating: -1, count: 16)
  private var longestLiteral = 0

  /// The node after a literal, which is made if it is not there.
  mutating func add(_ literal: String, after node: Int32) -> Int32 {
    let bytes = Array(literal.utf8)
    let hash = bytes.withUnsafeBufferPointer { Self.hash($0, node) }
    if let known = bytes.withUnsafeBufferPointer({ self.child(of: node, $0, hash) }) { return known }
    let child = Int32(nodes.count)
    nodes.append(Node())
    longestLiteral = max(longestLiteral, bytes.count)
    edges.append(Edge(node: node, child: child, hash: hash, literal: bytes))
    if edges.count * 2 > slots.count {
      slots = Array(repeating: -1, count: slots.count * 2)
    } else {
      place(Int32(edges.count - 1))
      return child
    }
    for index in edges.indices { place(Int32(index)) }
    return child
  }

  /// The node after any segment, which is made if it is not there.
  mutating func addAnything(after node: Int32) -> Int32 {
    if nodes[Int(node)].anything < 0 {
      nodes[Int(node)].anything = Int32(nodes.count)
      nodes.append(Node())
    }
    return nodes[Int(node)].anything
  }

  mutating func addEnd(_ link: Int, at node: Int32) { nodes[Int(node)].ends.append(Int32(link)) }
  mutating func addRest(_ link: Int, at node: Int32) { nodes[Int(node)].rests.append(Int32(link)) }

  /// The links whose path has this shape, in no order.
  ///
  /// Every node is visited once at most.
  func candidates(_ bytes: UnsafeBufferPointer<UInt8>, _ segments: ContiguousArray<ByteRange>) -> [Int32] {
    var found: [Int32] = []
    walk(0, 0, bytes, segments, &found)
    return found
  }

  private func walk(
    _ index: Int32, _ depth: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ segments: ContiguousArray<ByteRange>,
    _ found: inout [Int32]
  ) {
    let (rests, anything) = (nodes[Int(index)].rests, nodes[Int(index)].anything)
    if !rests.isEmpty { found += rests }
    guard depth < segments.count else {
      found += nodes[Int(index)].ends
      return
    }
    if let literal = child(of: index, bytes, segments[depth]) { walk(literal, depth + 1, bytes, segments, &found) }
    if anything >= 0, segments[depth].start < segments[depth].end {
      walk(anything, depth + 1, bytes, segments, &found)
    }
  }

  private func child(of node: Int32, _ bytes: UnsafeBufferPointer<UInt8>, _ range: ByteRange) -> Int32? {
    let count = range.end - range.start
    // Even with each of its bytes encoded, no literal is as long.
    guard count <= longestLiteral * 3 else { return nil }
    let segment = UnsafeBufferPointer(rebasing: bytes[range.start..<range.end])
    for byte in segment where byte == UInt8(ascii: "%") {
      var malformed = 0
      guard let decoded = percentDecoded(bytes, range, plusIsSpace: false, malformedAt: &malformed) else { return nil }
      return decoded.withUnsafeBufferPointer { child(of: node, $0, Self.hash($0, node)) }
    }
    return child(of: node, segment, Self.hash(segment, node))
  }

  private func child(of node: Int32, _ literal: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int32? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    return slots.withUnsafeBufferPointer { slots in
      edges.withUnsafeBufferPointer { edges in
        while slots[slot] >= 0 {
          let index = Int(slots[slot])
          if edges[index].hash == hash, edges[index].node == node, isEqual(edges[index].literal, literal) {
            return edges[index].child
          }
          slot = (slot + 1) & mask
        }
        return nil
      }
    }
  }

  private func isEqual(_ literal: [UInt8], _ segment: UnsafeBufferPointer<UInt8>) -> Bool {
    guard literal.count == segment.count else { return false }
    return literal.withUnsafeBufferPointer { literal in
      for index in 0..<literal.count where literal[index] != segment[index] { return false }
      return true
    }
  }

  private mutating func place(_ edge: Int32) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: edges[Int(edge)].hash) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = edge
  }

  /// FNV-1a over the bytes, from the node on, mixed at the end since the table takes the low bits.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ node: Int32) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ (UInt64(UInt32(bitPattern: node)) &* 0x9E37_79B9_7F4A_7C15)
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ hash >> 32
  }
}
