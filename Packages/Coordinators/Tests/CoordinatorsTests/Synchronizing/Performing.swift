@testable import Coordinators
@testable import CoordinatorsUIKit

struct DuplicateNode: Error { let id: NodeID }

extension Navigation {
  /// Returns the navigation that a shell shows after it has performed commands in order.
  ///
  /// Commands for missing nodes and elements are ignored, as in the shell for UIKit.
  func performing(_ commands: some Sequence<NavigationCommand<Screen>>) throws -> Navigation {
    var result = self
    for command in commands { try result.perform(command) }
    var seen: Set<NodeID> = []
    var duplicate: NodeID?
    result.root.forEach { node in
      if !seen.insert(node.id).inserted { duplicate = node.id }
      result.nextID = max(result.nextID, node.id.rawValue + 1)
    }
    if let duplicate { throw DuplicateNode(id: duplicate) }
    return result
  }

  private mutating func perform(_ command: NavigationCommand<Screen>) throws(NavigationError) {
    switch command {
    case .setRoot(let node):
      root = node
    case .push(let nodes, let id):
      try changeStack(id) { $0 += nodes }
    case .pop(let element, let id):
      try changeStack(id) { elements in
        if let index = elements.firstIndex(where: { $0.id == element }) { elements.removeSubrange((index + 1)...) }
      }
    case .setStack(let elements, let id):
      try changeStack(id) { stack in
        let old = stack
        stack = elements.compactMap { $0.node(among: old) }
      }
    case .select(let child, let id):
      try change(id) { node in
        guard case .tabs(let tabs, _) = node.content else { return }
        if let index = tabs.firstIndex(where: { $0.node.id == child }) { node.content = .tabs(tabs, selected: index) }
      }
    case .setTabs(let tabs, let selected, let id):
      try change(id) { node in
        guard case .tabs(let old, _) = node.content else { return }
        let nodes = old.map(\.node)
        let new = tabs.compactMap { tab in
          tab.element.node(among: nodes).map { Node.Tab(key: tab.key, node: $0) }
        }
        if !new.isEmpty { node.content = .tabs(new, selected: min(max(0, selected), new.count - 1)) }
      }
    case .present(let modal, let id):
      try change(id) { $0.modal = modal }
    case .dismiss(let id):
      try change(id) { $0.modal = nil }
    case .update(let id, let screen):
      try change(id) { if $0.kind == .screen { $0.content = .screen(screen) } }
    }
  }

  private mutating func change(_ id: NodeID, _ body: (inout Node<Screen>) -> Void) throws(NavigationError) {
    guard let path = path(to: id) else { return }
    try modify(at: path) { node throws(NavigationError) in body(&node) }
  }

  private mutating func changeStack(_ id: NodeID, _ body: (inout [Node<Screen>]) -> Void) throws(NavigationError) {
    try change(id) { node in
      guard case .stack(var elements) = node.content else { return }
      body(&elements)
      if !elements.isEmpty { node.content = .stack(elements) }
    }
  }
}

extension NavigationCommand.Element {
  fileprivate func node(among old: [Node<Screen>]) -> Node<Screen>? {
    switch self {
    case .kept(let id): old.first { $0.id == id }
    case .new(let node): node
    }
  }
}
