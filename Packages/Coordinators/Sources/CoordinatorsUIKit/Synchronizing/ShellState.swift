package import Coordinators

/// A shell reads it from its containers and never from the commands, because the user may have swiped back.
package struct ShellState: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case screen
    case stack([ShellState])
    case tabs([ShellState], selected: Int)
  }

  package var id: NodeID
  package var content: Content
  private var presented: [ShellState]

  init(id: NodeID, content: Content, modal: ShellState? = nil) {
    self.id = id
    self.content = content
    presented = modal.map { [$0] } ?? []
  }

  package var modal: ShellState? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }
}

extension Node {
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
  package var state: ShellState { root.state }
}
