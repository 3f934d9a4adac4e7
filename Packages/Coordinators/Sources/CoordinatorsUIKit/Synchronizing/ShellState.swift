package import Coordinators

/// The state of containers: a tree of identities, without screens.
///
/// A shell reads it from its containers and never from the commands, because the user may have swiped back.
package struct ShellState: Hashable, Sendable {
  /// The content of a node.
  package enum Content: Hashable, Sendable {
    /// A screen.
    case screen
    /// A stack, from the bottom up.
    case stack([ShellState])
    /// Tabs.
    case tabs([ShellState], selected: Int)
  }

  /// The identity of the node.
  package var id: NodeID
  /// The content of the node.
  package var content: Content
  private var presented: [ShellState]

  /// Creates the state of one node.
  init(id: NodeID, content: Content, modal: ShellState? = nil) {
    self.id = id
    self.content = content
    presented = modal.map { [$0] } ?? []
  }

  /// The modal over the node.
  package var modal: ShellState? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }
}

extension Node {
  /// The identities of this node and of all nodes inside it and over it.
  var state: ShellState {
    let content: ShellState.Content =
      switch content {
      case .screen: .screen
      case .stack(let elements): .stack(elements.map(\.state))
      case .tabs(let tabs, let selected): .tabs(tabs.map(\.node.state), selected: selected)
      }
    return ShellState(id: id, content: content, modal: modal?.state)
  }
}

extension Navigation {
  /// The identities of all nodes.
  package var state: ShellState { root.state }
}
