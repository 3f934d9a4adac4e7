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
    try result.checkDepth()
    self = result
  }

  public func applying(_ intent: Intent<Screen>) throws(NavigationError) -> Navigation {
    var result = self
    try result.apply(intent)
    return result
  }

  private mutating func carryOut(_ intent: Intent<Screen>) throws(NavigationError) {
    var nextID = nextID
    switch intent {
    case .push(let new, let stack):
      try changeStack(stack) { elements, owner throws(NavigationError) in
        elements.append(try new.identified(from: &nextID, owner: owner))
      }
    case .pop(let stack):
      try changeStack(stack) { elements, _ throws(NavigationError) in
        guard elements.count > 1 else { throw .nothingToPop(stack) }
        elements.removeLast()
      }
    case .popToRoot(let stack):
      try changeStack(stack) { elements, _ in
        elements.removeSubrange(1...)
        elements[0].modal = nil
      }
    case .setStack(let targets, let stack):
      try changeStack(stack) { elements, owner throws(NavigationError) in
        elements = try adapt(elements, to: targets, owner: owner, &nextID)
      }
    case .select(let key, let id):
      try change(id) { node throws(NavigationError) in
        guard case .tabs(let tabs, _) = node.content else {
          throw .wrongKind(id, found: node.kind, needed: .tabs)
        }
        node.content = .tabs(tabs, selected: key)
        try node.checkContent()
      }
    case .present(let new, let presenter):
      try change(presenter) { node throws(NavigationError) in
        if let modal = node.modal { throw .alreadyPresenting(presenter, modal: modal.id) }
        node.modal = try new.identified(from: &nextID, owner: node.owner)
      }
    case .dismiss(let presenter):
      try change(presenter) { node throws(NavigationError) in
        guard node.modal != nil else { throw .nothingPresented(presenter) }
        node.modal = nil
      }
    case .replace(let id, let new):
      try change(id) { node throws(NavigationError) in
        node = try new.identified(from: &nextID, owner: node.owner)
      }
    case .update(let id, let screen):
      try change(id) { node throws(NavigationError) in
        guard node.kind == .screen else { throw .wrongKind(id, found: node.kind, needed: .screen) }
        node.content = .screen(screen)
      }
    case .unwind(.node(let id)):
      guard root.reveal(id) else { throw .noSuchNode(id) }
    case .unwind(.coordinator(let owner)):
      guard let id = topmost(of: owner) else { throw .noSuchCoordinator(owner) }
      _ = root.reveal(id)
    case .show(let target): root = try root.adapted(to: target, owner: root.owner, &nextID)
    }
    self.nextID = nextID
  }

  private mutating func change(
    _ id: NodeID, _ body: (inout Node<Screen>) throws(NavigationError) -> Void
  ) throws(NavigationError) {
    guard try root.modify(id, body) else { throw .noSuchNode(id) }
  }

  private mutating func changeStack(
    _ id: NodeID, _ body: (inout [Node<Screen>], CoordinatorID?) throws(NavigationError) -> Void
  ) throws(NavigationError) {
    try change(id) { node throws(NavigationError) in
      guard case .stack(var elements) = node.content else {
        throw .wrongKind(id, found: node.kind, needed: .stack)
      }
      try body(&elements, node.owner)
      node.content = .stack(elements)
    }
  }
}

extension Node {
  fileprivate func adapted(
    to target: Node, owner inherited: CoordinatorID?, _ nextID: inout Int
  ) throws(NavigationError) -> Node {
    let owner = target.owner ?? inherited
    guard matches(target, owner: owner) else { return try target.identified(from: &nextID, owner: inherited) }
    try target.checkContent()
    var adapted = self
    switch (content, target.content) {
    case (.stack(let elements), .stack(let targets)):
      adapted.content = .stack(try adapt(elements, to: targets, owner: owner, &nextID))
    case (.tabs(var tabs, _), .tabs(let targets, let selected)):
      for index in tabs.indices where tabs[index].key == selected {
        tabs[index].node = try tabs[index].node.adapted(to: targets[index].node, owner: owner, &nextID)
      }
      adapted.content = .tabs(tabs, selected: selected)
    default: break
    }
    switch (modal, target.modal) {
    case (_, nil): adapted.modal = nil
    case (nil, let new?): adapted.modal = try new.identified(from: &nextID, owner: owner)
    case (let modal?, let new?): adapted.modal = try modal.adapted(to: new, owner: owner, &nextID)
    }
    return adapted
  }

  fileprivate func matches(_ target: Node, owner: CoordinatorID?) -> Bool {
    guard self.owner == owner else { return false }
    switch (content, target.content) {
    case (.screen(let mine), .screen(let others)): return mine == others
    case (.stack, .stack): return true
    case (.tabs(let mine, _), .tabs(let others, _)): return mine.map { $0.key } == others.map { $0.key }
    default: return false
    }
  }
}

/// Adapts only the top element: the others are not visible and stay unchanged.
private func adapt<Screen>(
  _ elements: [Node<Screen>], to targets: [Node<Screen>], owner: CoordinatorID?, _ nextID: inout Int
) throws(NavigationError) -> [Node<Screen>] {
  guard let top = targets.indices.last else { throw .emptyStack }
  var adapted: [Node<Screen>] = []
  var isKept = true
  for (index, target) in targets.enumerated() {
    isKept = isKept && index < elements.count && elements[index].matches(target, owner: target.owner ?? owner)
    if !isKept {
      adapted.append(try target.identified(from: &nextID, owner: owner))
    } else if index == top {
      adapted.append(try elements[index].adapted(to: target, owner: owner, &nextID))
    } else {
      adapted.append(elements[index])
    }
  }
  return adapted
}

extension Navigation {
  func topmost(of owner: CoordinatorID) -> NodeID? {
    root.layers.last { $0.owner == owner }?.id
  }

  func nodes(of owner: CoordinatorID) -> Set<NodeID> {
    var nodes: Set<NodeID> = []
    root.forEach { if $0.owner.map(owner.contains) == true { nodes.insert($0.id) } }
    return nodes
  }

  func hasNode(of owner: CoordinatorID?) -> Bool { root.path { $0.owner == owner } != nil }

  /// Removes nodes, and stacks that become empty; throws when the root or the content of a tab would be removed.
  mutating func remove(_ nodes: Set<NodeID>) throws(NavigationError) {
    guard let root = try root.removing(nodes) else { throw .emptyStack }
    self.root = root
  }
}

extension Node {
  /// This node and all its descendants, each above the earlier ones; hidden tabs are at the bottom.
  var layers: [Node] {
    let visible = kind == .tabs ? children.filter { $0.id == visibleChild?.id } : children
    let hidden = kind == .tabs ? children.filter { $0.id != visibleChild?.id } : []
    return hidden.flatMap(\.layers) + [self] + (visible + presented).flatMap(\.layers)
  }

  /// Makes the node with an identity visible, and returns whether it exists.
  fileprivate mutating func reveal(_ id: NodeID) -> Bool {
    if self.id == id {
      modal = nil
      return true
    }
    var children = children
    for index in children.indices where children[index].reveal(id) {
      modal = nil
      self.children = children
      switch content {
      case .screen: break
      case .stack(let elements): content = .stack(Array(elements[...index]))
      case .tabs(let tabs, _): content = .tabs(tabs, selected: tabs[index].key)
      }
      return true
    }
    return presented.isEmpty ? false : presented[0].reveal(id)
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
        throw .emptyTabs
      }
    }
    if kind == .stack, kept.isEmpty { return nil }
    copy.children = kept
    return copy
  }
}
