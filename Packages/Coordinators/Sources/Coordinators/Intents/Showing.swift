extension Navigation {
  mutating func show(_ target: Blueprint<Screen>) throws(NavigationError) {
    var builder = NodeBuilder<Screen>(nextID: nextID)
    root = try builder.adapt(root, to: target, owner: target.owner ?? root.owner)
    nextID = builder.nextID
  }
}

extension NodeBuilder {
  fileprivate mutating func adapt(
    _ node: Node<Screen>, to target: Blueprint<Screen>, owner inherited: CoordinatorID
  ) throws(NavigationError) -> Node<Screen> {
    let owner = target.owner ?? inherited
    guard node.matches(target, owner: owner) else { return try build(target, owner: inherited, depth: 1) }
    var adapted = node
    switch (node.content, target.content) {
    case (.stack(let elements), .stack(let targets)):
      adapted.content = .stack(try adapt(elements, to: targets, owner: owner))
    case (.tabs(var tabs, _), .tabs(let targets, let selected)):
      // Without a selection the target shows its first tab, as a new node would.
      let index = try selectedIndex(of: selected, in: tabs.map(\.key))
      tabs[index].node = try adapt(tabs[index].node, to: targets[index].content, owner: owner)
      adapted.content = .tabs(tabs, selected: index)
    default: break
    }
    if let modal = target.modal {
      if let present = node.modal {
        adapted.modal = try adapt(present, to: modal, owner: owner)
      } else {
        adapted.modal = try build(modal, owner: owner, depth: 1)
      }
    } else {
      adapted.modal = nil
    }
    return adapted
  }

  /// Adapts only the top element: the others are not visible and stay unchanged.
  mutating func adapt(
    _ elements: [Node<Screen>], to targets: [Blueprint<Screen>], owner: CoordinatorID
  ) throws(NavigationError) -> [Node<Screen>] {
    guard let top = targets.indices.last else { throw .emptyStack }
    var adapted: [Node<Screen>] = []
    var isKept = true
    for (index, target) in targets.enumerated() {
      isKept = isKept && index < elements.count && elements[index].matches(target, owner: target.owner ?? owner)
      if !isKept {
        adapted.append(try build(target, owner: owner, depth: 1))
      } else if index == top {
        adapted.append(try adapt(elements[index], to: target, owner: owner))
      } else {
        adapted.append(elements[index])
      }
    }
    return adapted
  }
}

extension Node {
  fileprivate func matches(_ target: Blueprint<Screen>, owner: CoordinatorID) -> Bool {
    guard self.owner == owner else { return false }
    switch (content, target.content) {
    case (.screen(let mine), .screen(let others)): return mine == others
    case (.stack, .stack): return true
    case (.tabs(let mine, _), .tabs(let others, _)): return mine.map(\.key) == others.map(\.key)
    default: return false
    }
  }
}
