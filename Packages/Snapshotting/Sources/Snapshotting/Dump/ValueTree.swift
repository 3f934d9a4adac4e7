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
    let children = nodes[parent].children
    guard children.count > 1 else { return }
    let keys = children.map { key(self, $0) }
    nodes[parent].children = keys.indices.sorted { precedes(keys[$0], keys[$1]) }.map { children[$0] }
  }

  /// Calls a closure with the numbers of a node and its descendants in preorder, and with their depths below the node.
  func visit(from root: Int, _ body: (_ node: Int, _ depth: Int) -> Void) {
    var pending = [(node: root, depth: 0)]
    pending.reserveCapacity(16)
    while let (node, depth) = pending.popLast() {
      body(node, depth)
      for child in nodes[node].children.reversed() { pending.append((child, depth + 1)) }
    }
  }
}
