extension Navigation {
  /// Adds the tabs that a blueprint has and this navigation lacks, and changes nothing else.
  ///
  /// Use it for tabs that the app requires. A damaged tab is dropped when a navigation is restored, and would stay missing
  /// after the next save.
  ///
  /// ```swift
  /// var navigation = Restoration<Screen>(archive: data).navigation
  /// try navigation?.addMissingTabs(of: dictionary)  // .tabs([.tab("words", …), .tab("phrases", …)])
  /// ```
  ///
  /// The blueprint is compared with the nodes from the root on, as long as kinds and owners are equal. Tabs are compared by
  /// their keys, stacks by their bottom elements, and modals with each other. An added tab has the blueprint's content, and
  /// follows the same tab as in the blueprint, or is the first one. The selected tab stays selected. A second call changes
  /// nothing.
  ///
  /// - Parameter blueprint: The required tabs, for example the initial navigation of the app.
  /// - Throws: ``NavigationError`` when an added tab has an empty stack, empty tabs or two tabs with the same key, or is nested
  ///   too deep. The navigation is then unchanged.
  public mutating func addMissingTabs(of blueprint: Blueprint<Screen>) throws(NavigationError) {
    var builder = NodeBuilder<Screen>(nextID: nextID)
    let completed = try builder.complete(root, with: blueprint, owner: blueprint.owner ?? root.owner)
    if completed.depth > Self.maximumDepth { throw .tooDeep(limit: Self.maximumDepth) }
    root = completed
    nextID = builder.nextID
  }
}

extension NodeBuilder {
  fileprivate mutating func complete(
    _ node: Node<Screen>, with blueprint: Blueprint<Screen>, owner: CoordinatorID
  ) throws(NavigationError) -> Node<Screen> {
    guard node.owner == owner else { return node }
    var completed = node
    switch (node.content, blueprint.content) {
    case (.stack(var elements), .stack(let wanted)):
      guard let first = wanted.first else { break }
      elements[0] = try complete(elements[0], with: first, owner: first.owner ?? owner)
      completed.content = .stack(elements)
    case (.tabs(let tabs, let selected), .tabs(let wanted, _)):
      completed.content = try complete(tabs, selected, with: wanted, owner: owner)
    default: break
    }
    if let modal = node.modal, let wanted = blueprint.modal {
      completed.modal = try complete(modal, with: wanted, owner: wanted.owner ?? owner)
    }
    return completed
  }

  private mutating func complete(
    _ tabs: [Node<Screen>.Tab], _ selected: Int, with wanted: [Blueprint<Screen>.Tab], owner: CoordinatorID
  ) throws(NavigationError) -> Node<Screen>.Content {
    var completed = tabs
    var next = 0
    for tab in wanted {
      if let index = completed.firstIndex(where: { $0.key == tab.key }) {
        completed[index].node = try complete(
          completed[index].node, with: tab.content, owner: tab.content.owner ?? owner)
        next = index + 1
      } else {
        completed.insert(Node.Tab(key: tab.key, node: try build(tab.content, owner: owner, depth: 1)), at: next)
        next += 1
      }
    }
    let key = tabs[selected].key
    return .tabs(completed, selected: completed.firstIndex { $0.key == key } ?? selected)
  }
}
