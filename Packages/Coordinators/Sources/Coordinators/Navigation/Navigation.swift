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
  public static var maximumDepth: Int { 128 }

  public package(set) var root: Node<Screen>
  package var nextID: Int

  package init(root: Node<Screen>, nextID: Int) {
    self.root = root
    self.nextID = nextID
  }

  /// Creates a navigation that shows a blueprint.
  ///
  /// - Throws: ``NavigationError`` when the blueprint has an empty stack, empty tabs, two tabs with the same key, an
  ///   unknown selected tab, or is nested too deep.
  public init(_ blueprint: Blueprint<Screen>, owner: CoordinatorID = "application") throws(NavigationError) {
    var builder = NodeBuilder<Screen>(nextID: 0)
    root = try builder.build(blueprint, owner: owner, depth: 1)
    nextID = builder.nextID
  }

  public var front: Node<Screen> { root.front }

  /// Returns a node by its identity; takes time proportional to the number of nodes.
  public subscript(id: NodeID) -> Node<Screen>? {
    path(to: id).map { root.node(at: $0[...]) }
  }

  /// Returns whether a node is the visible screen, or contains or presents it.
  public func isInFront(_ id: NodeID) -> Bool { frontPath.contains { $0.id == id } }

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

extension Node {
  var frontChild: Node? {
    if let modal = presented.first { return modal }
    switch content {
    case .screen: return nil
    case .stack(let elements): return elements.last
    case .tabs(let tabs, let selected): return tabs[selected].node
    }
  }
}

extension Navigation: CustomStringConvertible {
  public var description: String { root.description }
}
