extension Navigation {
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

  func topmost(of owner: CoordinatorID) -> NodeID? {
    if let node = root.topmost(of: owner) { return node.id }
    var last: NodeID?
    root.forEach { if $0.owner == owner { last = $0.id } }
    return last
  }

  mutating func remove(_ owner: CoordinatorID) throws(NavigationError) {
    let nodes = nodes(of: owner)
    guard !nodes.isEmpty else { throw .noSuchCoordinator(owner) }
    try remove(nodes)
  }

  func nodes(of owner: CoordinatorID) -> Set<NodeID> {
    var nodes: Set<NodeID> = []
    root.forEach { if owner.contains($0.owner) { nodes.insert($0.id) } }
    return nodes
  }

  func hasNode(of owner: CoordinatorID?) -> Bool { path(where: { $0.owner == owner }) != nil }

  mutating func remove(_ nodes: Set<NodeID>) throws(NavigationError) {
    guard let root = try root.removing(nodes) else { throw .cannotBeEmpty(self.root.id) }
    self.root = root
  }
}

extension Node {
  /// For a stack, returns the topmost element of the coordinator, because elements of others can be above it.
  fileprivate func topmost(of owner: CoordinatorID) -> Node? {
    if let node = frontChild?.topmost(of: owner) { return node }
    guard self.owner == owner else { return nil }
    guard case .stack(let elements) = content else { return self }
    return elements.last { $0.owner == owner }.map { $0.topmost(of: owner) ?? $0 } ?? self
  }

  fileprivate mutating func reveal(_ path: ArraySlice<NodeStep>) {
    switch path.first {
    case nil: modal = nil
    case .modal?: presented[0].reveal(path.dropFirst())
    case .child(let index)?:
      modal = nil
      children[index].reveal(path.dropFirst())
      switch content {
      case .screen: break
      case .stack(let elements): content = .stack(Array(elements[...index]))
      case .tabs(let tabs, _): content = .tabs(tabs, selected: index)
      }
    }
  }

  fileprivate func removing(_ nodes: Set<NodeID>) throws(NavigationError) -> Node? {
    if nodes.contains(id) { return nil }
    var copy = self
    copy.modal = try modal?.removing(nodes)
    var kept: [Node] = []
    for child in children {
      if let node = try child.removing(nodes) {
        kept.append(node)
      } else if kind == .tabs {
        throw .cannotBeEmpty(child.id)
      }
    }
    if kind == .stack, kept.isEmpty { return nil }
    copy.children = kept
    return copy
  }
}
