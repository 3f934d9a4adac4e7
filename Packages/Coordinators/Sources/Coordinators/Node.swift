/// A node of a ``Navigation``: a screen, a stack or tabs, optionally covered by a modal.
///
/// ```swift
/// let dictionary = Node.tabs(
///   [.tab("words", .stack([.screen(.words)])), .tab("phrases", .stack([.screen(.phrases)]))])
/// ```
///
/// A modal covers exactly the node that presents it. A modal over tabs covers all of them. A modal over a screen in a tab is
/// visible only while that tab is selected.
///
/// An ``Intent`` adds a copy of a node to the navigation. The copy and its descendants get new identities. An empty stack,
/// empty tabs and two tabs with the same key are then rejected.
public struct Node<Screen: Hashable & Sendable>: Hashable, Sendable, Identifiable {
  public enum Content: Hashable, Sendable {
    case screen(Screen)
    /// Nodes above each other, from the bottom up; the last one is visible.
    case stack([Node])
    /// Nodes beside each other; the one with the selected key is visible.
    case tabs([Tab], selected: TabKey)
  }

  public struct Tab: Hashable, Sendable {
    public var key: TabKey
    public var node: Node

    public static func tab(_ key: TabKey, _ node: Node) -> Tab { Tab(key: key, node: node) }
  }

  /// The identity in a navigation, which assigns it.
  public internal(set) var id = NodeID(rawValue: -1)
  /// The owner; outside of a navigation, `nil` stands for the owner of the parent node.
  public var owner: CoordinatorID?
  public var content: Content
  /// The modal, in an array of at most one element, because a structure cannot contain itself.
  var presented: [Node] = []

  private init(content: Content) { self.content = content }

  public static func screen(_ screen: Screen) -> Node { Node(content: .screen(screen)) }

  public static func stack(_ elements: [Node]) -> Node { Node(content: .stack(elements)) }

  /// Returns tabs; without a selection, the first one is visible.
  public static func tabs(_ tabs: [Tab], selected: TabKey? = nil) -> Node {
    Node(content: .tabs(tabs, selected: selected ?? tabs.first?.key ?? ""))
  }

  public func presenting(_ modal: Node) -> Node {
    var copy = self
    copy.modal = modal
    return copy
  }

  /// Returns a copy that belongs to a coordinator.
  ///
  /// Nested nodes inherit the owner, unless they name another one.
  public func owned(by owner: CoordinatorID) -> Node {
    var copy = self
    copy.owner = owner
    return copy
  }
}

extension Node: Codable where Screen: Codable {
  private enum CodingKeys: CodingKey { case owner, content, presented }
}
extension Node.Content: Codable where Screen: Codable {}
extension Node.Tab: Codable where Screen: Codable {}

extension Node {
  public var modal: Node? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }

  public var screen: Screen? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// The child nodes without the modal, from the bottom up or from the first tab on.
  public internal(set) var children: [Node] {
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

  /// The screen that is visible while this node is; a modal comes before the content that it covers.
  public var front: Node { frontChild?.front ?? self }

  var frontChild: Node? { modal ?? visibleChild }

  /// The child that is visible without the modal.
  var visibleChild: Node? {
    switch content {
    case .screen: nil
    case .stack(let elements): elements.last
    case .tabs(let tabs, let selected): tabs.first { $0.key == selected }?.node
    }
  }

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

public enum NodeKind: String, Hashable, Sendable {
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
          + tabs.map { "\($0.key == selected ? "*" : "")\($0.key): \($0.node)" }.joined(separator: " | ") + "}"
      }
    return modal.map { "\(inside) ^ \($0)" } ?? inside
  }
}

extension Node {
  /// Returns the nodes from this one to the first one that matches; `nil` without one.
  func path(where isWanted: (Node) -> Bool) -> [Node]? {
    if isWanted(self) { return [self] }
    for child in children + presented {
      if let path = child.path(where: isWanted) { return [self] + path }
    }
    return nil
  }

  /// Changes the node with an identity, and returns whether it exists.
  mutating func modify(
    _ id: NodeID, _ body: (inout Node) throws(NavigationError) -> Void
  ) throws(NavigationError) -> Bool {
    if self.id == id {
      try body(&self)
      return true
    }
    var children = children
    for index in children.indices {
      if try children[index].modify(id, body) {
        self.children = children
        return true
      }
    }
    return presented.isEmpty ? false : try presented[0].modify(id, body)
  }

  /// Returns a copy with the identities from `nextID` on, in the order of ``forEach(_:)``.
  func identified(from nextID: inout Int, owner inherited: CoordinatorID?) throws(NavigationError) -> Node {
    try checkContent()
    var copy = self
    copy.id = NodeID(rawValue: nextID)
    copy.owner = owner ?? inherited
    nextID += 1
    var children = children
    for index in children.indices { children[index] = try children[index].identified(from: &nextID, owner: copy.owner) }
    copy.children = children
    copy.modal = try modal?.identified(from: &nextID, owner: copy.owner)
    return copy
  }

  func checkContent() throws(NavigationError) {
    switch content {
    case .screen: break
    case .stack(let elements): if elements.isEmpty { throw .emptyStack }
    case .tabs(let tabs, let selected):
      let keys = tabs.map { $0.key }
      guard !keys.isEmpty else { throw .emptyTabs }
      for (index, key) in keys.enumerated() where keys[..<index].contains(key) { throw .duplicateTab(key) }
      guard keys.contains(selected) else { throw .noSuchTab(selected, known: keys) }
    }
  }
}
