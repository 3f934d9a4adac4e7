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

    init(key: TabKey, element: Element) {
      self.key = key
      self.element = element
    }
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

extension NavigationCommand: CustomStringConvertible {
  /// The command in words: `push #4 word onto #1`.
  var description: String {
    switch self {
    case .setRoot(let node): "set root \(node)"
    case .push(let nodes, let stack): "push \(nodes.map(\.description).joined(separator: ", ")) onto \(stack)"
    case .pop(let element, let stack): "pop to \(element) in \(stack)"
    case .setStack(let elements, let stack):
      "set stack \(stack) to [\(elements.map(\.description).joined(separator: ", "))]"
    case .select(let node, let tabs): "select \(node) in \(tabs)"
    case .setTabs(let tabs, let selected, let id):
      "set tabs \(id) to {\(tabs.map { "\($0.key): \($0.element)" }.joined(separator: " | "))}, selected \(selected)"
    case .present(let node, let presenter): "present \(node) over \(presenter)"
    case .dismiss(let presenter): "dismiss over \(presenter)"
    case .update(let node, let screen): "update \(node) to \(screen)"
    }
  }
}

extension NavigationCommand.Element: CustomStringConvertible {
  /// The identity of an existing node, or the new node.
  var description: String {
    switch self {
    case .kept(let id): "\(id)"
    case .new(let node): "new \(node)"
    }
  }
}
