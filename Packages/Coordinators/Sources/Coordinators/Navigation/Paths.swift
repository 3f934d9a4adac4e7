package enum NodeStep: Hashable, Sendable {
  case child(Int)
  case modal
}

extension Navigation {
  package func path(to id: NodeID) -> [NodeStep]? { path { $0.id == id } }

  func path(where isWanted: (Node<Screen>) -> Bool) -> [NodeStep]? {
    var path: [NodeStep] = []
    return root.find(isWanted, &path) ? path : nil
  }

  package mutating func modify<Result>(
    at path: [NodeStep], _ body: (inout Node<Screen>) throws(NavigationError) -> Result
  ) throws(NavigationError) -> Result {
    try root.modify(at: path[...], body)
  }
}

extension Node {
  func node(at path: ArraySlice<NodeStep>) -> Node {
    path.reduce(self) { node, step in
      switch step {
      case .modal: node.presented[0]
      case .child(let index): node.children[index]
      }
    }
  }

  fileprivate func find(_ isWanted: (Node) -> Bool, _ path: inout [NodeStep]) -> Bool {
    if isWanted(self) { return true }
    for (index, child) in children.enumerated() where child.find(isWanted, &path, after: .child(index)) { return true }
    return modal?.find(isWanted, &path, after: .modal) ?? false
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
    switch path.first {
    case nil: try body(&self)
    case .modal?: try presented[0].modify(at: path.dropFirst(), body)
    case .child(let index)?: try children[index].modify(at: path.dropFirst(), body)
    }
  }
}
