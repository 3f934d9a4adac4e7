struct LinkTrie: Sendable {
  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    /// The node after a placeholder.
    var any: Int?
    var ends: [Int] = []
    /// The links that match the rest of the path.
    var rests: [Int] = []
  }

  private var nodes = [Node()]

  mutating func add(_ link: Int, _ pattern: LinkPattern) {
    var node = 0
    var values = pattern.values[...]
    for part in pattern.template.path {
      switch part {
      case .literal(let text):
        let next = nodes[node].literals[text] ?? nodes.count
        nodes[node].literals[text] = next
        node = next
      case .placeholder:
        let count = values.popFirst()?.count
        if count == .repeated { return nodes[node].rests.append(link) }
        if count == .optional { nodes[node].ends.append(link) }
        let next = nodes[node].any ?? nodes.count
        nodes[node].any = next
        node = next
      }
      if node == nodes.count { nodes.append(Node()) }
    }
    nodes[node].ends.append(link)
  }

  func candidates(for text: LinkText) -> [Int] {
    var found: [Int] = []
    var paths = [0]
    for segment in text.segments {
      // A segment with a malformed encoding matches no literal.
      let literal = try? text.decoded(segment)
      var next: [Int] = []
      for node in paths {
        found += nodes[node].rests
        if let literal, let node = nodes[node].literals[literal] { next.append(node) }
        if let node = nodes[node].any, !segment.isEmpty { next.append(node) }
      }
      paths = next
      if paths.isEmpty { return found.sorted() }
    }
    for node in paths { found += nodes[node].rests + nodes[node].ends }
    return found.sorted()
  }
}
