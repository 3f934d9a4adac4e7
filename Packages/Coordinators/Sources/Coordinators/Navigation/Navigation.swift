/// Where a person is in an app, as a value: a tree of stacks, tabs, modals and screens.
///
/// ```swift
/// var navigation = try Navigation(.stack([.screen(Screen.words)]), owner: "application")
/// try navigation.apply(.push(.screen(.word("fiets")), onto: navigation.root.id))
/// navigation.front.screen == .word("fiets")  // true
/// ```
///
/// A navigation is valid at any time: no stack and no tabs are empty, each identity is there once, one of the tabs is
/// selected and each has a key of its own, and nothing is nested deeper than ``maximumDepth``. An intent that would end
/// elsewhere throws and changes nothing.
///
/// Source: *Boundaries in Practice*, whose coordinators told a `UINavigationController` what to do.
public struct Navigation<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// How many nodes may be inside, or presented by, one another; deeper ones are refused with an error.
  public static var maximumDepth: Int { 128 }

  /// The node that everything else is inside of or presented by.
  public package(set) var root: Node<Screen>
  /// The identity that the next node gets.
  package var nextID: Int

  package init(root: Node<Screen>, nextID: Int) {
    self.root = root
    self.nextID = nextID
  }

  /// Creates a navigation that shows a blueprint.
  ///
  /// - Parameters:
  ///   - blueprint: What is shown.
  ///   - owner: The coordinator that it belongs to, unless the blueprint says otherwise.
  /// - Throws: ``NavigationError`` when the blueprint has an empty stack, empty tabs, two tabs of the same key, a
  ///   selection that is not there, or is too deep.
  public init(_ blueprint: Blueprint<Screen>, owner: CoordinatorID = "application") throws(NavigationError) {
    var builder = NodeBuilder<Screen>(nextID: 0)
    root = try builder.build(blueprint, owner: owner, depth: 1)
    nextID = builder.nextID
  }

  /// The screen in sight.
  public var front: Node<Screen> { root.front }

  /// A node by its identity; takes time in proportion to the number of nodes.
  public subscript(id: NodeID) -> Node<Screen>? {
    path(to: id).map { root.node(at: $0[...]) }
  }

  /// Whether a node is on the way from the root to the screen in sight, or is that screen.
  public func isInFront(_ id: NodeID) -> Bool { frontPath.contains { $0.id == id } }

  /// The nodes from the root to the screen in sight.
  public var frontPath: [Node<Screen>] {
    var path = [root]
    while let last = path.last, let next = last.frontChild { path.append(next) }
    return path
  }

  /// The innermost stack on the way to the screen in sight: where a screen is pushed that says nothing else.
  public var frontStack: Node<Screen>? { frontPath.last { $0.kind == .stack } }

  /// The coordinators that own a node, each with all its parents.
  ///
  /// These are the ones that have something to do; every other one is gone.
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
  /// The node that is in sight instead of, or inside, this one.
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
  /// The tree on one line.
  public var description: String { root.description }
}
