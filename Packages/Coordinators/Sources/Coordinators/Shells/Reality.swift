/// What a shell has, compared with what it was told.
struct Reality<Screen: Hashable & Sendable> {
  private(set) var discrepancies: [Discrepancy] = []
  /// The tabs in which a person selected another one: from which, to which.
  private(set) var selections: [NodeID: (from: NodeID, to: NodeID)] = [:]

  /// The node as the shell has it, or `nil` when it has another there.
  mutating func fit(_ told: Node<Screen>, to skeleton: Skeleton) -> Node<Screen>? {
    guard told.id == skeleton.id else {
      discrepancies.append(.unexpected(skeleton.id))
      return nil
    }
    var real = told
    switch (told.content, skeleton.content) {
    case (.screen, .screen): break
    case (.stack(let elements), .stack(let skeletons)):
      let fitted = fit(elements, to: skeletons)
      if fitted.isEmpty { discrepancies.append(.malformed(told.id)) }
      real.content = .stack(fitted)
    case (.tabs(let tabs, let selected), .tabs(let skeletons, let realSelected)):
      let fitted = fit(tabs.map(\.node), to: skeletons)
      guard fitted.indices.contains(realSelected) else {
        discrepancies.append(.malformed(told.id))
        return nil
      }
      let keys = Dictionary(tabs.map { ($0.node.id, $0.key) }, uniquingKeysWith: { first, _ in first })
      real.content = .tabs(
        fitted.compactMap { node in keys[node.id].map { Node.Tab(key: $0, node: node) } }, selected: realSelected)
      let (from, to) = (tabs[selected].node.id, fitted[realSelected].id)
      if from != to { selections[told.id] = (from, to) }
    default:
      discrepancies.append(.malformed(told.id))
      return nil
    }
    switch (told.modal, skeleton.modal) {
    case (_, nil): real.modal = nil
    case (let modal?, let other?): real.modal = fit(modal, to: other)
    case (nil, let other?): discrepancies.append(.unexpected(other.id))
    }
    return real
  }

  private mutating func fit(_ told: [Node<Screen>], to skeletons: [Skeleton]) -> [Node<Screen>] {
    var places: [NodeID: Int] = [:]
    for index in told.indices { places[told[index].id] = index }
    var fitted: [Node<Screen>] = []
    for skeleton in skeletons {
      // Taken out, so that one that the shell has twice is unexpected the second time.
      guard let place = places.removeValue(forKey: skeleton.id) else {
        discrepancies.append(.unexpected(skeleton.id))
        continue
      }
      if let node = fit(told[place], to: skeleton) { fitted.append(node) }
    }
    return fitted
  }
}

extension Navigation {
  /// Does here what a person did to a shell that was told one thing and has another.
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
        // The core has taken away all but what the person took away: it gets that back, since a stack is never empty.
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
