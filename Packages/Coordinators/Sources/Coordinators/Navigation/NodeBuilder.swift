struct NodeBuilder<Screen: Hashable & Sendable> {
  var nextID: Int

  /// - Parameter depth: The depth of the node; 1 for the root.
  mutating func build(
    _ blueprint: Blueprint<Screen>, owner inherited: CoordinatorID, depth: Int
  ) throws(NavigationError) -> Node<Screen> {
    guard depth <= Navigation<Screen>.maximumDepth else {
      throw .tooDeep(limit: Navigation<Screen>.maximumDepth)
    }
    let owner = blueprint.owner ?? inherited
    let id = NodeID(rawValue: nextID)
    nextID += 1
    let content: Node<Screen>.Content
    switch blueprint.content {
    case .screen(let screen):
      content = .screen(screen)
    case .stack(let elements):
      guard !elements.isEmpty else { throw .emptyStack }
      var nodes: [Node<Screen>] = []
      for element in elements { nodes.append(try build(element, owner: owner, depth: depth + 1)) }
      content = .stack(nodes)
    case .tabs(let tabs, let selected):
      let index = try selectedIndex(of: selected, in: tabs.map(\.key))
      var nodes: [Node<Screen>.Tab] = []
      for tab in tabs {
        nodes.append(Node.Tab(key: tab.key, node: try build(tab.content, owner: owner, depth: depth + 1)))
      }
      content = .tabs(nodes, selected: index)
    }
    var modal: Node<Screen>?
    if let presented = blueprint.modal { modal = try build(presented, owner: owner, depth: depth + 1) }
    return Node(id: id, owner: owner, content: content, modal: modal)
  }
}

func selectedIndex(of selected: TabKey?, in keys: [TabKey]) throws(NavigationError) -> Int {
  var seen: Set<TabKey> = []
  for key in keys where !seen.insert(key).inserted { throw .duplicateTab(key) }
  guard !keys.isEmpty else { throw .emptyTabs }
  guard let selected else { return 0 }
  guard let index = keys.firstIndex(of: selected) else { throw .noSuchTab(selected, known: keys) }
  return index
}
