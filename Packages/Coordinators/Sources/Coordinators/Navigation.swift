/// The navigation state of an app, as a value: a tree of stacks, tabs, modals and screens.
///
/// ```swift
/// var navigation = try Navigation(.stack([.screen(Screen.words)]), owner: "application")
/// try navigation.apply(.push(.screen(.word("fiets")), onto: navigation.root.id))
/// navigation.front.screen == .word("fiets")  // true
/// ```
///
/// A navigation is always valid:
///
/// - Stacks and tabs are never empty.
/// - Identities are unique.
/// - Exactly one tab is selected, and the keys of the tabs are unique.
/// - The depth is at most ``maximumDepth``.
///
/// An intent that would violate this throws an error and changes nothing.
///
/// Source: *Boundaries in Practice*.
public struct Navigation<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// The maximum depth of the tree, modals included; deeper nodes are rejected with an error.
  public static var maximumDepth: Int { 100 }

  public internal(set) var root: Node<Screen>
  var nextID: Int

  /// Creates a navigation that shows a node.
  ///
  /// - Throws: ``NavigationError`` when the node has an empty stack, empty tabs, two tabs with the same key, an
  ///   unknown selected tab, or is nested too deep.
  public init(_ root: Node<Screen>, owner: CoordinatorID = "application") throws(NavigationError) {
    try self.init(root, owner: owner, nextID: 0)
  }

  init(_ root: Node<Screen>, owner: CoordinatorID, nextID: Int) throws(NavigationError) {
    self.nextID = nextID
    self.root = try root.identified(from: &self.nextID, owner: owner)
    try checkDepth()
  }

  func checkDepth() throws(NavigationError) {
    if root.depth > Self.maximumDepth { throw .tooDeep(limit: Self.maximumDepth) }
  }

  public var front: Node<Screen> { root.front }

  /// The node with an identity; takes time proportional to the number of nodes.
  public subscript(id: NodeID) -> Node<Screen>? {
    root.path { $0.id == id }?.last
  }

  public var frontPath: [Node<Screen>] {
    var path = [root]
    while let last = path.last, let next = last.frontChild { path.append(next) }
    return path
  }

  /// The coordinators that own a node, and all their ancestors.
  ///
  /// No other coordinator has screens, so every other one ends.
  public var coordinators: Set<CoordinatorID> {
    var found: Set<CoordinatorID> = []
    root.forEach { node in
      var next: CoordinatorID? = node.owner
      while let owner = next, found.insert(owner).inserted { next = owner.parent }
    }
    return found
  }
}

extension Navigation: CustomStringConvertible {
  public var description: String { root.description }
}
