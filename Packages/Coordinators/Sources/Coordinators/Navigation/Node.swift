/// One place of a ``Navigation``: a screen, a stack, or tabs, and perhaps a modal over it.
///
/// A modal covers exactly the node that presents it. One over the tabs covers all of them; one over a screen in a tab
/// goes out of sight with that tab, and comes back with it.
///
/// Nodes are read here and changed by an ``Intent``.
public struct Node<Screen: Hashable & Sendable>: Hashable, Sendable, Identifiable {
  /// What a node shows when no modal covers it.
  public enum Content: Hashable, Sendable {
    /// A screen of the app.
    case screen(Screen)
    /// One node above the other, the last one in sight; never empty.
    case stack([Node])
    /// One node beside the other, one of them in sight; never empty.
    case tabs([Tab], selected: Int)
  }

  /// A node among others beside it.
  public struct Tab: Hashable, Sendable {
    /// The name of the tab, which none of its neighbours has.
    public let key: TabKey
    /// What the tab shows.
    public package(set) var node: Node

    package init(key: TabKey, node: Node) {
      self.key = key
      self.node = node
    }
  }

  /// The identity, which no other node of the navigation has or will have.
  public let id: NodeID
  /// The coordinator that this node belongs to.
  public let owner: CoordinatorID
  /// What it shows when no modal covers it.
  public package(set) var content: Content
  /// At most one; an array, since a structure cannot hold itself.
  package var presented: [Node]

  package init(id: NodeID, owner: CoordinatorID, content: Content, modal: Node? = nil) {
    self.id = id
    self.owner = owner
    self.content = content
    presented = modal.map { [$0] } ?? []
  }
}

extension Node {
  /// What covers this node.
  public package(set) var modal: Node? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }

  /// The screen, when the node is one.
  public var screen: Screen? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// The nodes directly inside, from the bottom up or from the first tab on; without the modal.
  public var children: [Node] {
    switch content {
    case .screen: []
    case .stack(let elements): elements
    case .tabs(let tabs, _): tabs.map(\.node)
    }
  }

  /// The screen in sight when this node is, a modal before what it covers.
  public var front: Node {
    if let modal = presented.first { return modal.front }
    switch content {
    case .screen: return self
    case .stack(let elements): return elements.last?.front ?? self
    case .tabs(let tabs, let selected): return tabs[selected].node.front
    }
  }

  /// Calls a function with this node and all below and above it, each before those inside it and a modal last.
  public func forEach(_ body: (Node) throws -> Void) rethrows {
    try body(self)
    switch content {
    case .screen: break
    case .stack(let elements): for element in elements { try element.forEach(body) }
    case .tabs(let tabs, _): for tab in tabs { try tab.node.forEach(body) }
    }
    for modal in presented { try modal.forEach(body) }
  }

  package var kind: NodeKind {
    switch content {
    case .screen: .screen
    case .stack: .stack
    case .tabs: .tabs
    }
  }
}

/// What a node is, without its content.
public enum NodeKind: String, Hashable, Sendable, Codable {
  /// A screen of the app.
  case screen
  /// One node above the other.
  case stack
  /// One node beside the other.
  case tabs
}

extension Node: CustomStringConvertible {
  /// The node on one line: `[#1 words, #2 word]` for a stack, `{ words: … | *phrases: … }` for tabs, and `^` before a modal.
  public var description: String {
    let inside =
      switch content {
      case .screen(let screen): "\(id) \(screen)"
      case .stack(let elements): "\(id)[\(elements.map(\.description).joined(separator: ", "))]"
      case .tabs(let tabs, let selected):
        "\(id){"
          + tabs.enumerated().map { "\($0 == selected ? "*" : "")\($1.key): \($1.node)" }.joined(separator: " | ") + "}"
      }
    return modal.map { "\(inside) ^ \($0)" } ?? inside
  }
}
