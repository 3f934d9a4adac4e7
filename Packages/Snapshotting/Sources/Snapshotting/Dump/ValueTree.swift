/// Nodes refer to each other by number, so that a deep value needs no stack.
struct ValueTree {
  enum Shape {
    case plain
    /// The node is an ancestor of itself.
    case circular
    case parentheses
    case brackets
    case set
  }

  struct Node {
    let label: String?
    let text: String
    let shape: Shape
    var children: [Int] = []
  }

  private(set) var nodes: [Node] = []
  var hiddenTypes: [String] = []

  mutating func add(_ node: Node, under parent: Int?) -> Int {
    nodes.append(node)
    if let parent { nodes[parent].children.append(nodes.count - 1) }
    return nodes.count - 1
  }

  /// The order of equal ones does not change.
  mutating func sortChildren<Key>(of parent: Int, key: (ValueTree, Int) -> Key, by precedes: (Key, Key) -> Bool) {
    let children = nodes[parent].children
    guard children.count > 1 else { return }
    let keys = children.map { key(self, $0) }
    nodes[parent].children = keys.indices.sorted { precedes(keys[$0], keys[$1]) }.map { children[$0] }
  }

  func visit(from root: Int, _ body: (_ node: Int, _ depth: Int) -> Void) {
    var pending = [(node: root, depth: 0)]
    pending.reserveCapacity(16)
    while let (node, depth) = pending.popLast() {
      body(node, depth)
      for child in nodes[node].children.reversed() { pending.append((child, depth + 1)) }
    }
  }
}
