import Coordinators

enum TestScreen: String, Codable, Hashable, Sendable, CustomStringConvertible {
  case a, b
  var description: String { rawValue }
}

typealias Tree = Navigation<TestScreen>
typealias Plan = Node<TestScreen>

/// Returns every tree of `count` nodes: each shape, each selection, and modals at every node.
///
/// All screens are `a`; their identities distinguish them.
func everyPlan(nodes count: Int) -> [Plan] {
  var known: [[Plan]] = [[]]
  for size in stride(from: 1, through: count, by: 1) { known.append(everyPlan(nodes: size, smaller: known)) }
  return known[count]
}

func everyPlan(upTo count: Int) -> [Plan] { (1...count).flatMap { everyPlan(nodes: $0) } }

private func everyPlan(nodes count: Int, smaller: [[Plan]]) -> [Plan] {
  var found: [Plan] = []
  for covered in 0..<count {
    // `covered` is the number of nodes in the modal; the others are in the covered node.
    let contents = contents(nodes: count - covered, smaller: smaller)
    if covered == 0 { found += contents }
    for modal in smaller[covered] { found += contents.map { $0.presenting(modal) } }
  }
  return found
}

private func contents(nodes count: Int, smaller: [[Plan]]) -> [Plan] {
  if count == 1 { return [.screen(.a)] }
  var found: [Plan] = []
  for children in lists(nodes: count - 1, smaller: smaller) {
    found.append(.stack(children))
    let tabs = children.enumerated().map { Plan.Tab.tab(TabKey("\($0)"), $1) }
    found += tabs.map { .tabs(tabs, selected: $0.key) }
  }
  return found
}

private func lists(nodes count: Int, smaller: [[Plan]]) -> [[Plan]] {
  if count == 0 { return [[]] }
  return (1...count).flatMap { first in
    smaller[first].flatMap { head in lists(nodes: count - first, smaller: smaller).map { [head] + $0 } }
  }
}

/// Returns intents of every kind for each node and for a missing node, also empty and invalid ones.
///
/// New nodes come from the given nodes.
func intents(for tree: Tree, new: [Plan] = [.screen(.b)]) -> [Intent<TestScreen>] {
  var found: [Intent<TestScreen>] = []
  let owners = Set(tree.coordinators.map(\.description)).sorted().map { CoordinatorID($0) }
  found += (owners + ["nobody"]).map { .unwind(to: .coordinator($0)) }
  found += new.map { .show($0) }
  tree.root.forEach { found += intents(on: $0.id, new: new) }
  return found + intents(on: NodeID(rawValue: 1_000), new: Array(new.prefix(1)))
}

private func intents(on id: NodeID, new: [Plan]) -> [Intent<TestScreen>] {
  var found: [Intent<TestScreen>] = [
    .unwind(to: .node(id)), .dismiss(over: id), .pop(from: id), .popToRoot(of: id), .update(id, to: .b),
    .setStack([], of: id),
  ]
  for plan in new {
    found += [.push(plan, onto: id), .present(plan, over: id), .replace(id, with: plan)]
    found += [.setStack([plan], of: id), .setStack([.screen(.a), plan], of: id)]
  }
  for key in ["0", "1", "2"] as [TabKey] {
    found.append(.select(key, in: id))
  }
  return found
}

extension Tree {
  var ids: Set<NodeID> {
    var ids: Set<NodeID> = []
    root.forEach { ids.insert($0.id) }
    return ids
  }

  var parents: [NodeID: NodeID] {
    var parents: [NodeID: NodeID] = [:]
    root.forEach { node in
      for child in node.children + (node.modal.map { [$0] } ?? []) { parents[child.id] = node.id }
    }
    return parents
  }
}

extension Plan {
  /// Returns this node with `b` as the visible screen.
  func markingFront() -> Plan {
    var copy = self
    if let modal {
      copy.modal = modal.markingFront()
      return copy
    }
    switch content {
    case .screen: copy.content = .screen(.b)
    case .stack(var elements):
      elements[elements.count - 1] = elements[elements.count - 1].markingFront()
      copy.content = .stack(elements)
    case .tabs(var tabs, let selected):
      for index in tabs.indices where tabs[index].key == selected {
        tabs[index].node = tabs[index].node.markingFront()
      }
      copy.content = .tabs(tabs, selected: selected)
    }
    return copy
  }
}

extension Navigation {
  var frontStack: Node<Screen>? { frontPath.last { $0.kind == .stack } }
}
