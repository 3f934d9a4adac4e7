internal import Coordinators

/// A change of the containers.
///
/// A command names the target state and not a difference, so it leads to the same state after a swipe back of the user. A new
/// node is complete, with all nodes inside it.
enum NavigationCommand<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// A child of a stack or of tabs.
  enum Element: Hashable, Sendable {
    /// An existing node, unchanged.
    case kept(NodeID)
    /// A new node.
    case new(Node<Screen>)
  }

  /// A tab.
  struct Tab: Hashable, Sendable {
    /// The name of the tab.
    let key: TabKey
    /// The content of the tab.
    let element: Element
  }

  /// Replaces the whole navigation.
  case setRoot(Node<Screen>)
  /// Pushes nodes onto a stack, from the bottom up.
  case push([Node<Screen>], onto: NodeID)
  /// Removes the elements of a stack above a given one.
  case pop(to: NodeID, in: NodeID)
  /// Sets the elements of a stack, from the bottom up.
  case setStack([Element], of: NodeID)
  /// Selects the tab of a node.
  case select(NodeID, in: NodeID)
  /// Sets the tabs and the selected one.
  case setTabs([Tab], selected: Int, of: NodeID)
  /// Presents a modal over a node, in place of the current one.
  case present(Node<Screen>, over: NodeID)
  /// Dismisses the modal of a node.
  case dismiss(over: NodeID)
  /// Sets the screen of a node.
  case update(NodeID, to: Screen)
}
