/// A change of a ``Navigation`` that a coordinator, a link or a user requests.
///
/// ```swift
/// try navigation.apply(.push(.screen(.word("fiets")), onto: words))
/// try navigation.apply(.unwind(to: .coordinator("application/dictionary")))
/// ```
///
/// Intents are values: they can be recorded, compared and forwarded. Remaining nodes keep their identities, and a node never
/// moves to another parent.
public enum Intent<Screen: Hashable & Sendable>: Hashable, Sendable {
  case push(Node<Screen>, onto: NodeID)

  /// Removes the top element of a stack, with its modal.
  ///
  /// Throws when the stack has only one element.
  case pop(from: NodeID)

  /// Removes all elements of a stack except the bottom element, and dismisses the modal of the bottom element.
  case popToRoot(of: NodeID)

  /// Sets the elements of a stack.
  ///
  /// Keeps elements from the bottom up as long as they match the new ones, as ``show(_:)`` does: a screen matches an
  /// equal screen, a stack matches any stack, and tabs match tabs with the same keys, each of the same owner. A kept
  /// element at the top gets the content and the modal of the new one; without a modal there, its modal is
  /// dismissed. Kept elements below it are unchanged: use ``replace(_:with:)`` to change them.
  case setStack([Node<Screen>], of: NodeID)

  case select(TabKey, in: NodeID)

  /// Presents a modal over a node.
  ///
  /// Throws when the node presents one already.
  case present(Node<Screen>, over: NodeID)

  /// Dismisses the modal of a node, with its content and all modals over it.
  case dismiss(over: NodeID)

  /// Replaces a node with its content and its modal.
  ///
  /// To add or remove a tab, replace the tabs, and pass the other ones again: their coordinators continue.
  case replace(NodeID, with: Node<Screen>)

  /// Replaces the screen of a node; the node keeps its identity and its modal.
  case update(NodeID, to: Screen)

  /// Makes an existing node visible, across modals and tabs, from any depth.
  ///
  /// Removes the elements above it in stacks and the modals that cover it, and selects the tabs that contain it. The
  /// content of the node is unchanged.
  case unwind(to: UnwindTarget)

  /// Makes a target visible, from any state, and keeps unchanged nodes; see ``Navigation/apply(_:)``.
  case show(Node<Screen>)
}

public enum UnwindTarget: Hashable, Sendable {
  case node(NodeID)
  /// The topmost node of a coordinator; hidden tabs are at the bottom.
  case coordinator(CoordinatorID)
}

/// The error of an intent or a node that was rejected; the navigation is unchanged.
public enum NavigationError: Error, Hashable, Sendable {
  case noSuchNode(NodeID)
  case wrongKind(NodeID, found: NodeKind, needed: NodeKind)
  case noSuchTab(TabKey, known: [TabKey])
  case noSuchCoordinator(CoordinatorID)
  case emptyStack
  case emptyTabs
  case duplicateTab(TabKey)
  case nothingToPop(NodeID)
  case nothingPresented(NodeID)
  case alreadyPresenting(NodeID, modal: NodeID)
  case tooDeep(limit: Int)
}

extension NavigationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noSuchNode(let id):
      "Cannot find the node \(id): it does not exist, or was removed. Look it up again before you use it."
    case .wrongKind(let id, let found, let needed):
      "Cannot change the node \(id): its kind is \(found.rawValue), not \(needed.rawValue). Use the ID of a node of that kind."
    case .noSuchTab(let key, let known):
      "Cannot find the tab '\(key)'. Available tabs: \(known.map { "'\($0)'" }.joined(separator: ", "))."
    case .noSuchCoordinator(let id):
      "Cannot find a node of the coordinator '\(id)': it has not shown anything, or has ended. Push one of its screens first."
    case .emptyStack:
      "Cannot show an empty stack: it needs an element. Keep at least one, or replace or dismiss the whole stack."
    case .emptyTabs: "Cannot show empty tabs: they need a tab. Keep at least one, or replace or dismiss the tabs."
    case .duplicateTab(let key): "Cannot show the tabs: two have the key '\(key)'. Use a different key for each."
    case .nothingToPop(let id):
      "Cannot pop the stack \(id): it has only one element. Replace it, or dismiss or unwind its parent."
    case .nothingPresented(let id):
      "Cannot dismiss over the node \(id): it presents nothing. Use the ID of the node that presents the modal."
    case .alreadyPresenting(let id, let modal):
      "Cannot present over the node \(id): it already presents \(modal). Dismiss or replace \(modal), or present over it."
    case .tooDeep(let limit):
      "Cannot nest nodes more than \(limit) levels deep. Replace or dismiss nodes instead of nesting more of them."
    }
  }
}

/// The intents behind the gestures that every shell offers.
///
/// ```swift
/// if let intent = navigation.backIntent { navigator.apply(intent) }
/// ```
extension Navigation {
  /// The intent of a back button: pops a visible stack, or else dismisses the topmost modal.
  ///
  /// `nil` if nothing can be popped or dismissed.
  public var backIntent: Intent<Screen>? { popIntent ?? dismissIntent }

  /// The intent of a swipe back: pops the innermost visible stack that has more than one element.
  ///
  /// `nil` without such a stack, and when a modal covers it.
  public var popIntent: Intent<Screen>? {
    let path = frontPath
    for node in path.reversed() {
      if node.kind == .stack, node.children.count > 1 { return .pop(from: node.id) }
      // A modal covers the nodes below it.
      if path.contains(where: { $0.modal?.id == node.id }) { return nil }
    }
    return nil
  }

  public var dismissIntent: Intent<Screen>? {
    frontPath.last { $0.modal != nil }.map { .dismiss(over: $0.id) }
  }

  /// The intent of a tap on a tab of ``visibleTabs``; `nil` without a tab of this key.
  ///
  /// A tap on the selected tab pops its innermost visible stack to its root; the stacks around that stack are unchanged.
  public func selectIntent(_ key: TabKey) -> Intent<Screen>? {
    guard let node = visibleTabs, case .tabs(let tabs, let selected) = node.content,
      tabs.contains(where: { $0.key == key })
    else { return nil }
    let visible = frontPath.drop { $0.id != node.id }.prefix { $0.modal == nil }
    if key == selected, let stack = visible.last(where: { $0.kind == .stack }) { return .popToRoot(of: stack.id) }
    return .select(key, in: node.id)
  }

  /// The innermost tabs on the path to the visible screen, except tabs that present a modal.
  ///
  /// A modal over a screen in a tab does not hide the tabs. Selecting another tab hides that modal with its screen.
  public var visibleTabs: Node<Screen>? { frontPath.last { $0.kind == .tabs && $0.modal == nil } }

  /// The topmost node that shows a screen; `nil` without one.
  public func node(showing screen: Screen) -> NodeID? {
    root.layers.last { $0.screen == screen }?.id
  }

  /// The screen that ``backIntent`` leads to.
  public var screenBehind: Node<Screen>? { backIntent.flatMap { try? applying($0) }?.front }

  public var screenBelowModal: Node<Screen>? { frontPath.last { $0.modal != nil }?.screenBelowModal }
}

extension Node {
  var screenBelowModal: Node {
    var copy = self
    copy.modal = nil
    return copy.front
  }
}
