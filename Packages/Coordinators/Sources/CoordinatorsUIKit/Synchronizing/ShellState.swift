package import Coordinators

/// What a shell really has: identities, and how they are arranged; without screens.
///
/// A shell makes one from its own objects, never from what it was told, and hands it to
/// ``Synchronization/acknowledge(_:)``: a person may have swiped back in the meantime.
package struct ShellState: Hashable, Sendable {
  /// What a shell has inside a node.
  package enum Content: Hashable, Sendable {
    /// A screen.
    case screen
    /// One above the other, from the bottom up.
    case stack([ShellState])
    /// One beside the other.
    case tabs([ShellState], selected: Int)
  }

  /// Which node it is.
  package var id: NodeID
  /// What the shell has inside it.
  package var content: Content
  private var presented: [ShellState]

  /// Creates the state of one node.
  init(id: NodeID, content: Content, modal: ShellState? = nil) {
    self.id = id
    self.content = content
    presented = modal.map { [$0] } ?? []
  }

  /// What covers the node.
  package var modal: ShellState? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }
}

extension Node {
  /// The identities of this node and of what is inside and above.
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
  /// The identities of all nodes, as a shell in step has them.
  package var state: ShellState { root.state }
}
