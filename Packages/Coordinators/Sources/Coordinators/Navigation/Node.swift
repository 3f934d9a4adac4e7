/// A node of a ``Navigation``: a screen, a stack or tabs, optionally covered by a modal.
///
/// A modal covers exactly the node that presents it. A modal over tabs covers all of them. A modal over a screen in a tab is
/// visible only while that tab is selected.
///
/// Nodes are read-only. Use an ``Intent`` to change them.
public struct Node<Screen: Hashable & Sendable>: Hashable, Sendable, Identifiable {
  public enum Content: Hashable, Sendable {
    case screen(Screen)
    /// Nodes above each other, from the bottom up; the last one is visible. Never empty.
    case stack([Node])
    /// Nodes beside each other; one of them is visible. Never empty.
    case tabs([Tab], selected: Int)
  }

  public struct Tab: Hashable, Sendable {
    public let key: TabKey
    public package(set) var node: Node

    package init(key: TabKey, node: Node) {
      self.key = key
      self.node = node
    }
  }

  public let id: NodeID
  public let owner: CoordinatorID
  public package(set) var content: Content
  /// The modal, in an array of at most one element, because a structure cannot contain itself.
  package var presented: [Node]

  package init(id: NodeID, owner: CoordinatorID, content: Content, modal: Node? = nil) {
    self.id = id
    self.owner = owner
    self.content = content
    presented = modal.map { [$0] } ?? []
  }
}

extension Node {
  public package(set) var modal: Node? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }

  public var screen: Screen? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// The child nodes without the modal, from the bottom up or from the first tab on.
  public package(set) var children: [Node] {
    get {
      switch content {
      case .screen: []
      case .stack(let elements): elements
      // A closure, because a debug build creates the key path of a generic type at each call.
      case .tabs(let tabs, _): tabs.map { $0.node }
      }
    }
    set {
      switch content {
      case .screen: break
      case .stack: content = .stack(newValue)
      case .tabs(let tabs, let selected):
        content = .tabs(zip(tabs, newValue).map { Tab(key: $0.key, node: $1) }, selected: selected)
      }
    }
  }

  /// The screen that is visible while this node is.
  ///
  /// A modal comes before the content that it covers.
  public var front: Node { frontChild?.front ?? self }

  /// Calls a function with this node and all its descendants.
  ///
  /// A node comes before its children, and a modal comes last.
  public func forEach(_ body: (Node) throws -> Void) rethrows {
    try body(self)
    for child in children { try child.forEach(body) }
    try modal?.forEach(body)
  }

  var depth: Int {
    var deepest = modal?.depth ?? 0
    for child in children { deepest = max(deepest, child.depth) }
    return deepest + 1
  }

  package var kind: NodeKind {
    switch content {
    case .screen: .screen
    case .stack: .stack
    case .tabs: .tabs
    }
  }
}

public enum NodeKind: String, Hashable, Sendable, Codable {
  case screen
  case stack
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
