/// A step from a node to a child or to its modal.
package enum NodeStep: Hashable, Sendable {
  case child(Int)
  case modal
}

extension Navigation {
  /// Returns the steps from the root to a node; `nil` when the node does not exist.
  package func path(to id: NodeID) -> [NodeStep]? { path { $0.id == id } }

  /// Returns the steps from the root to the first node that satisfies a predicate, in the order of ``Node/forEach(_:)``.
  func path(where isWanted: (Node<Screen>) -> Bool) -> [NodeStep]? {
    var path: [NodeStep] = []
    return root.find(isWanted, &path) ? path : nil
  }

  /// Changes the node at the end of a path in place.
  package mutating func modify<Result>(
    at path: [NodeStep], _ body: (inout Node<Screen>) throws(NavigationError) -> Result
  ) throws(NavigationError) -> Result {
    try root.modify(at: path[...], body)
  }
}

extension Node {
  func node(at path: ArraySlice<NodeStep>) -> Node {
    path.reduce(self) { node, step in
      switch (step, node.content) {
      case (.modal, _): node.presented[0]
      case (.child(let index), .stack(let elements)): elements[index]
      case (.child(let index), .tabs(let tabs, _)): tabs[index].node
      case (.child, .screen): node
      }
    }
  }

  fileprivate func find(_ isWanted: (Node) -> Bool, _ path: inout [NodeStep]) -> Bool {
    if isWanted(self) { return true }
    switch content {
    case .screen: break
    case .stack(let elements):
      for (index, element) in elements.enumerated() where element.find(isWanted, &path, after: .child(index)) {
        return true
      }
    case .tabs(let tabs, _):
      for (index, tab) in tabs.enumerated() where tab.node.find(isWanted, &path, after: .child(index)) { return true }
    }
    return presented.first?.find(isWanted, &path, after: .modal) ?? false
  }

  private func find(_ isWanted: (Node) -> Bool, _ path: inout [NodeStep], after step: NodeStep) -> Bool {
    path.append(step)
    if find(isWanted, &path) { return true }
    path.removeLast()
    return false
  }

  mutating func modify<Result>(
    at path: ArraySlice<NodeStep>, _ body: (inout Node) throws(NavigationError) -> Result
  ) throws(NavigationError) -> Result {
    guard let step = path.first else { return try body(&self) }
    let rest = path.dropFirst()
    switch (step, content) {
    case (.modal, _):
      return try presented[0].modify(at: rest, body)
    case (.child(let index), .stack(var elements)):
      defer { content = .stack(elements) }
      return try elements[index].modify(at: rest, body)
    case (.child(let index), .tabs(var tabs, let selected)):
      defer { content = .tabs(tabs, selected: selected) }
      return try tabs[index].node.modify(at: rest, body)
    case (.child, .screen):
      return try body(&self)
    }
  }
}
