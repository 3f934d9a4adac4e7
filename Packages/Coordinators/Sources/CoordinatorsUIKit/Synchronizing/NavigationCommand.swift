internal import Coordinators

/// One thing for a shell to do, so that it shows what the core wants.
///
/// A command names what is to be afterwards, not a change that depends on what was before, so a shell that is behind (a
/// person swiped back a moment ago) still ends at the right place. A node that is new comes whole, with all inside it.
enum NavigationCommand<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// One child of a stack or of tabs.
  enum Element: Hashable, Sendable {
    /// One that the shell has, as it is.
    case kept(NodeID)
    /// One that the shell has to make.
    case new(Node<Screen>)
  }

  /// One of several tabs.
  struct Tab: Hashable, Sendable {
    /// The name of the tab.
    let key: TabKey
    /// What the tab shows.
    let element: Element

    init(key: TabKey, element: Element) {
      self.key = key
      self.element = element
    }
  }

  /// Show this and nothing else.
  case setRoot(Node<Screen>)
  /// Put these on top of a stack, from the bottom up.
  case push([Node<Screen>], onto: NodeID)
  /// Take away what is above an element of a stack.
  case pop(to: NodeID, in: NodeID)
  /// Let a stack have these elements, from the bottom up.
  case setStack([Element], of: NodeID)
  /// Select the tab that shows a node.
  case select(NodeID, in: NodeID)
  /// Let tabs be these, with one of them selected.
  case setTabs([Tab], selected: Int, of: NodeID)
  /// Cover a node with a modal, in place of the one that it may have.
  case present(Node<Screen>, over: NodeID)
  /// Take the modal of a node away, with all inside and above.
  case dismiss(over: NodeID)
  /// Show another screen in a node that is one.
  case update(NodeID, to: Screen)
}

extension NavigationCommand: CustomStringConvertible {
  /// The command as it would be said: `push #4 word onto #1`.
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
  /// The identity of one that is kept, the whole of one that is new.
  var description: String {
    switch self {
    case .kept(let id): "\(id)"
    case .new(let node): "new \(node)"
    }
  }
}
