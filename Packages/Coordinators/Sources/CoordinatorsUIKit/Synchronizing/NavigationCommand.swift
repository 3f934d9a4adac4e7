internal import Coordinators

/// A command names the target state and not a difference, so it leads to the same state after a swipe back of the user.
enum NavigationCommand<Screen: Hashable & Sendable>: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case kept(NodeID)
    case new(Node<Screen>)
  }

  struct Tab: Hashable, Sendable {
    let key: TabKey
    let element: Element
  }

  case setRoot(Node<Screen>)
  case push([Node<Screen>], onto: NodeID)
  case pop(to: NodeID, in: NodeID)
  case setStack([Element], of: NodeID)
  case select(NodeID, in: NodeID)
  case setTabs([Tab], selected: Int, of: NodeID)
  case present(Node<Screen>, over: NodeID)
  case dismiss(over: NodeID)
  case update(NodeID, to: Screen)
}
