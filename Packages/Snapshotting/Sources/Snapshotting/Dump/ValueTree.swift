/// A value and its contents, as lines of text without indentation.
///
/// Nodes refer to each other by number, so that a deep value needs no stack.
struct ValueTree {
  /// The text around the children of a node.
  enum Shape {
    /// The children are below the node.
    case plain
    /// The node is an ancestor of itself.
    case circular
    /// `(` children `)`.
    case parentheses
    /// `[` children `]`.
    case brackets
    /// `([` children `])`.
    case set
  }

  struct Node {
    let label: String?
    let text: String
    let shape: Shape
    var children: [Int] = []
  }

  /// The nodes; the first one is the root.
  private(set) var nodes: [Node] = []
  /// The types of the data that the text cannot show.
  var hiddenTypes: [String] = []

  /// Adds a node as the last child of `parent`, and returns its number.
  mutating func add(_ node: Node, under parent: Int?) -> Int {
    nodes.append(node)
    if let parent { nodes[parent].children.append(nodes.count - 1) }
    return nodes.count - 1
  }

  /// Sorts the children of a node by keys.
  ///
  /// The order of equal ones does not change.
  mutating func sortChildren<Key>(of parent: Int, key: (ValueTree, Int) -> Key, by precedes: (Key, Key) -> Bool) {
    guard nodes[parent].children.count > 1 else { return }
    let keyed = nodes[parent].children.map { (node: $0, key: key(self, $0)) }
    nodes[parent].children = keyed.sorted { precedes($0.key, $1.key) }.map(\.node)
  }

  /// Returns the numbers of a node and its descendants in preorder, with their depths below the node.
  func preorder(from root: Int) -> [(node: Int, depth: Int)] {
    var visited: [(node: Int, depth: Int)] = []
    var pending = [(node: root, depth: 0)]
    while let next = pending.popLast() {
      visited.append(next)
      for child in nodes[next.node].children.reversed() { pending.append((child, next.depth + 1)) }
    }
    return visited
  }
}
