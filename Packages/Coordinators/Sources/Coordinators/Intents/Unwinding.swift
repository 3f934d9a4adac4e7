extension Navigation {
  /// Brings a node into sight that is there already.
  mutating func unwind(to target: UnwindTarget) throws(NavigationError) {
    let id: NodeID
    switch target {
    case .node(let node): id = node
    case .coordinator(let owner):
      guard let node = topmost(of: owner) else { throw .noSuchCoordinator(owner) }
      id = node
    }
    guard let path = path(to: id) else { throw .noSuchNode(id) }
    root.reveal(path[...])
  }

  /// The topmost node of a coordinator: on the way to the screen in sight the deepest, elsewhere the last.
  func topmost(of owner: CoordinatorID) -> NodeID? {
    if let node = root.topmost(of: owner) { return node.id }
    var last: NodeID?
    root.forEach { if $0.owner == owner { last = $0.id } }
    return last
  }

  /// Takes away all nodes of a coordinator and of those below it.
  mutating func remove(_ owner: CoordinatorID) throws(NavigationError) {
    let nodes = nodes(of: owner)
    guard !nodes.isEmpty else { throw .noSuchCoordinator(owner) }
    try remove(nodes)
  }

  /// The nodes of a coordinator and of those below it.
  func nodes(of owner: CoordinatorID) -> Set<NodeID> {
    var nodes: Set<NodeID> = []
    root.forEach { if owner.contains($0.owner) { nodes.insert($0.id) } }
    return nodes
  }

  /// Whether anything belongs to a coordinator itself.
  func hasNode(of owner: CoordinatorID?) -> Bool { path(where: { $0.owner == owner }) != nil }

  /// Takes away nodes with all that is inside them; those that are not there do not matter.
  mutating func remove(_ nodes: Set<NodeID>) throws(NavigationError) {
    guard let root = try root.removing(nodes) else { throw .cannotBeEmpty(self.root.id) }
    self.root = root
  }
}

extension Node {
  /// The deepest node of a coordinator on the way to the screen in sight; when that is a stack, the uppermost of its
  /// elements that is the coordinator's, since others are on top of it then.
  fileprivate func topmost(of owner: CoordinatorID) -> Node? {
    if let node = frontChild?.topmost(of: owner) { return node }
    guard self.owner == owner else { return nil }
    guard case .stack(let elements) = content else { return self }
    return elements.last { $0.owner == owner }.map { $0.topmost(of: owner) ?? $0 } ?? self
  }

  /// Makes the node at the end of a path the one in sight.
  fileprivate mutating func reveal(_ path: ArraySlice<NodeStep>) {
    guard let step = path.first else {
      modal = nil
      return
    }
    switch (step, content) {
    case (.modal, _):
      presented[0].reveal(path.dropFirst())
    case (.child(let index), .stack(var elements)):
      modal = nil
      elements.removeSubrange((index + 1)...)
      elements[index].reveal(path.dropFirst())
      content = .stack(elements)
    case (.child(let index), .tabs(var tabs, _)):
      modal = nil
      tabs[index].node.reveal(path.dropFirst())
      content = .tabs(tabs, selected: index)
    case (.child, .screen): break
    }
  }

  /// The node without some others, or `nil` when nothing is left of it.
  fileprivate func removing(_ nodes: Set<NodeID>) throws(NavigationError) -> Node? {
    if nodes.contains(id) { return nil }
    var copy = self
    if let modal { copy.modal = try modal.removing(nodes) }
    switch content {
    case .screen: break
    case .stack(let elements):
      var kept: [Node] = []
      for element in elements { if let element = try element.removing(nodes) { kept.append(element) } }
      if kept.isEmpty { return nil }
      copy.content = .stack(kept)
    case .tabs(var tabs, let selected):
      for index in tabs.indices {
        guard let node = try tabs[index].node.removing(nodes) else {
          throw .cannotBeEmpty(tabs[index].node.id)
        }
        tabs[index].node = node
      }
      copy.content = .tabs(tabs, selected: selected)
    }
    return copy
  }
}
