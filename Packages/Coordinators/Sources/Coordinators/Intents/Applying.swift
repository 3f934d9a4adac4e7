extension Navigation {
  /// Applies an intent.
  ///
  /// ``Intent/show(_:)`` compares its target with the current nodes, from the root on:
  ///
  /// - A stack keeps its elements from the bottom up, as long as they match the target's.
  /// - Tabs with the same keys are kept. The tab that the target selects is selected; the other tabs are unchanged.
  /// - A modal over a node that becomes visible is dismissed, unless the target has a modal there; the two are then compared.
  /// - A node with another kind, screen, owner or list of tab keys is replaced.
  ///
  /// Applying it a second time changes nothing.
  ///
  /// - Throws: ``NavigationError``; the navigation is then unchanged.
  public mutating func apply(_ intent: Intent<Screen>) throws(NavigationError) {
    var result = self
    try result.carryOut(intent)
    if result.root.depth > Self.maximumDepth { throw .tooDeep(limit: Self.maximumDepth) }
    self = result
  }

  public func applying(_ intent: Intent<Screen>) throws(NavigationError) -> Navigation {
    var result = self
    try result.apply(intent)
    return result
  }

  private mutating func carryOut(_ intent: Intent<Screen>) throws(NavigationError) {
    switch intent {
    case .push(let blueprint, let stack):
      try changeStack(stack) { elements, builder, owner throws(NavigationError) in
        elements.append(try builder.build(blueprint, owner: owner, depth: 1))
      }
    case .pop(let stack):
      try changeStack(stack) { elements, _, _ throws(NavigationError) in
        guard elements.count > 1 else { throw .nothingToPop(stack) }
        elements.removeLast()
      }
    case .popToRoot(let stack):
      try changeStack(stack) { elements, _, _ in
        elements.removeSubrange(1...)
        elements[0].modal = nil
      }
    case .setStack(let blueprints, let stack):
      try changeStack(stack) { elements, builder, owner throws(NavigationError) in
        elements = try builder.adapt(elements, to: blueprints, owner: owner)
      }
    case .select(let key, let tabs):
      try select(key, in: tabs)
    case .setTabs(let tabs, let id, let selected):
      try setTabs(tabs, of: id, selected)
    case .present(let blueprint, let presenter):
      try change(presenter) { node, builder throws(NavigationError) in
        if let modal = node.modal { throw .alreadyPresenting(presenter, modal: modal.id) }
        node.modal = try builder.build(blueprint, owner: node.owner, depth: 1)
      }
    case .dismiss(let presenter):
      try change(presenter) { node, _ throws(NavigationError) in
        guard node.modal != nil else { throw .nothingPresented(presenter) }
        node.modal = nil
      }
    case .replace(let id, let blueprint):
      try change(id) { node, builder throws(NavigationError) in
        node = try builder.build(blueprint, owner: node.owner, depth: 1)
      }
    case .update(let id, let screen):
      try change(id) { node, _ throws(NavigationError) in
        guard node.kind == .screen else { throw .wrongKind(id, found: node.kind, needed: .screen) }
        node.content = .screen(screen)
      }
    case .unwind(let target):
      try unwind(to: target)
    case .remove(let coordinator):
      try remove(coordinator)
    case .show(let target):
      try show(target)
    }
  }

  mutating func change(
    _ id: NodeID, _ body: (inout Node<Screen>, inout NodeBuilder<Screen>) throws(NavigationError) -> Void
  ) throws(NavigationError) {
    guard let path = path(to: id) else { throw .noSuchNode(id) }
    var builder = NodeBuilder<Screen>(nextID: nextID)
    try modify(at: path) { node throws(NavigationError) in try body(&node, &builder) }
    nextID = builder.nextID
  }

  private mutating func changeStack(
    _ id: NodeID,
    _ body: (inout [Node<Screen>], inout NodeBuilder<Screen>, CoordinatorID) throws(NavigationError) -> Void
  ) throws(NavigationError) {
    try change(id) { node, builder throws(NavigationError) in
      guard case .stack(var elements) = node.content else {
        throw .wrongKind(id, found: node.kind, needed: .stack)
      }
      try body(&elements, &builder, node.owner)
      node.content = .stack(elements)
    }
  }
}
