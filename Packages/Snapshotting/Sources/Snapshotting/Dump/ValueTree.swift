/// A value and its contents, as lines of text without indentation.
///
/// All text is in one buffer, and nodes refer to each other by number, so that a large value costs few allocations and a
/// deep one no stack.
struct ValueTree {
  /// The text around the children of a node.
  enum Shape: UInt8 {
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
    /// The start of the label in the buffer.
    ///
    /// The text follows the label.
    let start: Int
    let labelEnd: Int
    let end: Int
    let hasLabel: Bool
    let isASCII: Bool
    let shape: Shape
    let parent: Int
    var firstChild = ValueTree.none
    var lastChild = ValueTree.none
    var next = ValueTree.none
  }

  static let none = -1

  private(set) var nodes: [Node] = []
  private(set) var bytes: [UInt8] = []
  /// The types of the data that the text cannot show.
  var hiddenTypes: [String] = []

  /// Adds a node as the last child of `parent`, unless that is ``none``.
  mutating func add(label: String?, shape: Shape, under parent: Int, _ write: (inout [UInt8]) -> Void) -> Int {
    let start = bytes.count
    if let label { bytes.append(contentsOf: label.utf8) }
    let labelEnd = bytes.count
    write(&bytes)
    let index = nodes.count
    nodes.append(
      Node(
        start: start, labelEnd: labelEnd, end: bytes.count, hasLabel: label != nil,
        isASCII: bytes[start...].allSatisfy { $0 < 0x80 }, shape: shape, parent: parent))
    guard parent != Self.none else { return index }
    let last = nodes[parent].lastChild
    if last == Self.none { nodes[parent].firstChild = index } else { nodes[last].next = index }
    nodes[parent].lastChild = index
    return index
  }

  func label(of node: Int) -> ArraySlice<UInt8> { bytes[nodes[node].start..<nodes[node].labelEnd] }

  func text(of node: Int) -> ArraySlice<UInt8> { bytes[nodes[node].labelEnd..<nodes[node].end] }

  func hasChildren(_ node: Int) -> Bool { nodes[node].firstChild != Self.none }

  /// Sorts the children of a node.
  ///
  /// The order of equal ones does not change.
  mutating func sortChildren(of parent: Int, by areInIncreasingOrder: (ValueTree, Int, Int) -> Bool) {
    var children: [Int] = []
    var child = nodes[parent].firstChild
    while child != Self.none {
      children.append(child)
      child = nodes[child].next
    }
    guard children.count > 1 else { return }
    children.sort { areInIncreasingOrder(self, $0, $1) }
    for (position, child) in children.enumerated() {
      nodes[child].next = position + 1 < children.count ? children[position + 1] : Self.none
    }
    nodes[parent].firstChild = children[0]
    nodes[parent].lastChild = children[children.count - 1]
  }

  /// A walk over a node and its descendants, in preorder.
  struct Walk {
    private let root: Int
    private var following: Int
    private var depth = 0

    init(from root: Int) {
      self.root = root
      following = root
    }

    /// Returns the next node and its depth below the root.
    mutating func next(in tree: ValueTree) -> (node: Int, depth: Int)? {
      guard following != ValueTree.none else { return nil }
      let current = (following, depth)
      if tree.hasChildren(following) {
        following = tree.nodes[following].firstChild
        depth += 1
        return current
      }
      while following != root, tree.nodes[following].next == ValueTree.none {
        following = tree.nodes[following].parent
        depth -= 1
      }
      following = following == root ? ValueTree.none : tree.nodes[following].next
      return current
    }
  }
}
