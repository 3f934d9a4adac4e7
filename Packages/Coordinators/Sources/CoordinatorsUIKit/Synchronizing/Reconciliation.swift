internal import Coordinators

struct Reconciliation<Screen: Hashable & Sendable> {
  private(set) var discrepancies: [NodeID] = []
  private(set) var selections: [NodeID: (from: NodeID, to: NodeID)] = [:]

  mutating func match(_ told: Node<Screen>, to state: ShellState) -> Node<Screen>? {
    guard told.id == state.id else {
      discrepancies.append(state.id)
      return nil
    }
    var real = told
    switch (told.content, state.content) {
    case (.screen, .screen): break
    case (.stack(let elements), .stack(let states)):
      let matched = match(elements, to: states)
      if matched.isEmpty { discrepancies.append(told.id) }
      real.content = .stack(matched)
    case (.tabs(let tabs, let selected), .tabs(let states, let realSelected)):
      let matched = match(tabs.map(\.node), to: states)
      guard matched.indices.contains(realSelected) else {
        discrepancies.append(told.id)
        return nil
      }
      let keys = Dictionary(tabs.map { ($0.node.id, $0.key) }, uniquingKeysWith: { first, _ in first })
      real.content = .tabs(
        matched.compactMap { node in keys[node.id].map { Node.Tab(key: $0, node: node) } }, selected: realSelected)
      let (from, to) = (tabs[selected].node.id, matched[realSelected].id)
      if from != to { selections[told.id] = (from, to) }
    default:
      discrepancies.append(told.id)
      return nil
    }
    switch (told.modal, state.modal) {
    case (_, nil): real.modal = nil
    case (let modal?, let other?): real.modal = match(modal, to: other)
    case (nil, let other?): discrepancies.append(other.id)
    }
    return real
  }

  private mutating func match(_ told: [Node<Screen>], to states: [ShellState]) -> [Node<Screen>] {
    var places: [NodeID: Int] = [:]
    for index in told.indices { places[told[index].id] = index }
    var matched: [Node<Screen>] = []
    for state in states {
      // Removed from the dictionary, so that a duplicate is reported as unexpected.
      guard let place = places.removeValue(forKey: state.id) else {
        discrepancies.append(state.id)
        continue
      }
      if let node = match(told[place], to: state) { matched.append(node) }
    }
    return matched
  }
}

extension Navigation {
  mutating func follow(
    from told: Navigation, to real: Navigation, selections: [NodeID: (from: NodeID, to: NodeID)]
  ) {
    var gone: Set<NodeID> = []
    told.root.forEach { gone.insert($0.id) }
    var present: Set<NodeID> = []
    real.root.forEach { present.insert($0.id) }
    gone.subtract(present)
    if gone.isEmpty, selections.isEmpty { return }
    root.follow(gone: gone, present: present, selections: selections)
  }
}

extension Node {
  fileprivate mutating func follow(
    gone: Set<NodeID>, present: Set<NodeID>, selections: [NodeID: (from: NodeID, to: NodeID)]
  ) {
    if let modal, gone.contains(modal.id) { self.modal = nil }
    for index in presented.indices { presented[index].follow(gone: gone, present: present, selections: selections) }
    switch content {
    case .screen: break
    case .stack(var elements):
      if let first = elements.firstIndex(where: { gone.contains($0.id) }) {
        let left = elements[..<first] + elements[first...].filter { present.contains($0.id) }
        // If only elements remain that the user removed, they are kept, because a stack is never empty.
        if !left.isEmpty { elements = Array(left) }
      }
      for index in elements.indices { elements[index].follow(gone: gone, present: present, selections: selections) }
      content = .stack(elements)
    case .tabs(var tabs, var selected):
      let wanted = tabs[selected].node.id
      let left = tabs.filter { !gone.contains($0.node.id) }
      if !left.isEmpty { tabs = left }
      var choice = wanted
      if let selection = selections[id], selection.from == wanted { choice = selection.to }
      selected = tabs.firstIndex { $0.node.id == choice } ?? min(selected, tabs.count - 1)
      for index in tabs.indices { tabs[index].node.follow(gone: gone, present: present, selections: selections) }
      content = .tabs(tabs, selected: selected)
    }
  }
}
