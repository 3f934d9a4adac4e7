extension Navigation {
  mutating func select(_ key: TabKey, in id: NodeID) throws(NavigationError) {
    try changeTabs(id) { tabs, selected, _, _ throws(NavigationError) in
      guard let index = tabs.firstIndex(where: { $0.key == key }) else {
        throw .noSuchTab(key, known: tabs.map(\.key))
      }
      selected = index
    }
  }

  mutating func setTabs(
    _ wanted: [Blueprint<Screen>.Tab], of id: NodeID, _ key: TabKey?
  ) throws(NavigationError) {
    try changeTabs(id) { tabs, selected, builder, owner throws(NavigationError) in
      let chosen = try selectedIndex(of: key, in: wanted.map(\.key))
      let (old, place) = (tabs, selected)
      tabs = []
      for tab in wanted {
        if let kept = old.first(where: { $0.key == tab.key && $0.node.owner == tab.content.owner ?? $0.node.owner }) {
          tabs.append(kept)
        } else {
          tabs.append(Node.Tab(key: tab.key, node: try builder.build(tab.content, owner: owner, depth: 1)))
        }
      }
      selected = key == nil ? tabs.index(insteadOf: place, of: old) : chosen
    }
  }

  private mutating func changeTabs(
    _ id: NodeID,
    _ body: (inout [Node<Screen>.Tab], inout Int, inout NodeBuilder<Screen>, CoordinatorID) throws(NavigationError) ->
      Void
  ) throws(NavigationError) {
    try change(id) { node, builder throws(NavigationError) in
      guard case .tabs(var tabs, var selected) = node.content else {
        throw .wrongKind(id, found: node.kind, needed: .tabs)
      }
      try body(&tabs, &selected, &builder, node.owner)
      node.content = .tabs(tabs, selected: selected)
    }
  }
}

extension Array {
  /// The new index of the selected tab.
  ///
  /// If the old tab is gone, the next remaining tab is selected, or else the nearest one before it.
  fileprivate func index<Screen>(insteadOf place: Int, of old: [Element]) -> Int where Element == Node<Screen>.Tab {
    for tab in Array(old[place...]) + old[..<place].reversed() {
      if let index = firstIndex(where: { $0.node.id == tab.node.id }) { return index }
    }
    return 0
  }
}
