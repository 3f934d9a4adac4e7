internal import Coordinators

extension Navigation {
  /// Returns the smallest batch of commands that changes a shell from another navigation to this one.
  ///
  /// - **Smallest:** one command for each kept stack, tabs, modal or screen that has changed, and none for the
  ///   descendants of new nodes.
  /// - **No flash:** while the commands are performed in order, the visible screen changes at most once, from the old
  ///   one to the new one.
  /// - **Cost:** proportional to the number of nodes.
  ///
  /// A node is kept if it has the same identity, kind, owner and parent.
  func commands(from old: Navigation) -> [NavigationCommand<Screen>] {
    guard root.isSame(as: old.root) else { return [.setRoot(root)] }
    var difference = Difference<Screen>()
    difference.walk(from: old.root, to: root)
    return difference.commands
  }
}

/// The order of the commands avoids a flash.
///
/// When the visible child changes, the new child gets its commands before the change and the old child after it. Each
/// of them is then invisible.
struct Difference<Screen: Hashable & Sendable> {
  var commands: [NavigationCommand<Screen>] = []

  mutating func walk(from old: Node<Screen>, to new: Node<Screen>) {
    switch (old.presented.first, new.presented.first) {
    case (nil, nil):
      walkContent(from: old, to: new)
    case (_?, nil):
      walkContent(from: old, to: new)
      commands.append(.dismiss(over: new.id))
    case (nil, let modal?):
      commands.append(.present(modal, over: new.id))
      walkContent(from: old, to: new)
    case (let oldModal?, let modal?):
      walkContent(from: old, to: new)
      if modal.isSame(as: oldModal) {
        walk(from: oldModal, to: modal)
      } else {
        commands.append(.present(modal, over: new.id))
      }
    }
  }

  mutating func walkContent(from old: Node<Screen>, to new: Node<Screen>) {
    switch (old.content, new.content) {
    case (.screen(let before), .screen(let after)):
      if before != after { commands.append(.update(new.id, to: after)) }
    case (.stack(let before), .stack(let after)):
      walkStack(new.id, from: before, to: after)
    case (.tabs(let before, let oldSelected), .tabs(let after, let selected)):
      walkTabs(new.id, from: before, oldSelected, to: after, selected)
    default: break
    }
  }

  mutating func walkStack(_ id: NodeID, from old: [Node<Screen>], to new: [Node<Screen>]) {
    var common = 0
    while common < old.count, common < new.count, old[common].isSame(as: new[common]) { common += 1 }
    let oldTop = old.count - 1
    if common == old.count || common == new.count {
      for index in 0..<common where index != oldTop {
        walk(from: old[index], to: new[index])
      }
      if common < new.count {
        commands.append(.push(Array(new[common...]), onto: id))
      } else if common < old.count {
        commands.append(.pop(to: new[common - 1].id, in: id))
      }
      if common > oldTop { walk(from: old[oldTop], to: new[oldTop]) }
      return
    }
    var places: [NodeID: Int] = [:]
    for index in old.indices { places[old[index].id] = index }
    var elements: [NavigationCommand<Screen>.Element] = []
    var last: Node<Screen>?
    for node in new {
      guard let place = places[node.id], old[place].isSame(as: node) else {
        elements.append(.new(node))
        continue
      }
      elements.append(.kept(node.id))
      if place == oldTop { last = node } else { walk(from: old[place], to: node) }
    }
    commands.append(.setStack(elements, of: id))
    if let last { walk(from: old[oldTop], to: last) }
  }

  mutating func walkTabs(
    _ id: NodeID, from old: [Node<Screen>.Tab], _ oldSelected: Int, to new: [Node<Screen>.Tab], _ selected: Int
  ) {
    var places: [NodeID: Int] = [:]
    for index in old.indices { places[old[index].node.id] = index }
    var tabs: [NavigationCommand<Screen>.Tab] = []
    var last: Node<Screen>?
    var isUnchanged = old.count == new.count
    for (index, tab) in new.enumerated() {
      guard let place = places[tab.node.id], old[place].node.isSame(as: tab.node) else {
        tabs.append(NavigationCommand.Tab(key: tab.key, element: .new(tab.node)))
        isUnchanged = false
        continue
      }
      tabs.append(NavigationCommand.Tab(key: tab.key, element: .kept(tab.node.id)))
      if place != index || old[place].key != tab.key { isUnchanged = false }
      if place == oldSelected { last = tab.node } else { walk(from: old[place].node, to: tab.node) }
    }
    if !isUnchanged {
      commands.append(.setTabs(tabs, selected: selected, of: id))
    } else if oldSelected != selected {
      commands.append(.select(new[selected].node.id, in: id))
    }
    if let last { walk(from: old[oldSelected].node, to: last) }
  }
}
