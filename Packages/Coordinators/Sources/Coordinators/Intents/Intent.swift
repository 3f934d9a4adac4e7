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
  case push(Blueprint<Screen>, onto: NodeID)

  /// Removes the top element of a stack, with its modal.
  ///
  /// Throws when the stack has only one element.
  case pop(from: NodeID)

  /// Removes all elements of a stack except the bottom element, and dismisses the modal of the bottom element.
  case popToRoot(of: NodeID)

  /// Sets the elements of a stack.
  ///
  /// Keeps elements from the bottom up as long as they match the blueprints, as ``show(_:)`` does: a screen matches an
  /// equal screen, a stack matches any stack, and tabs match tabs with the same keys, each of the same owner. A kept
  /// element at the top gets the content and the modal of its blueprint; without a modal in the blueprint, its modal is
  /// dismissed. Kept elements below it are unchanged: use ``replace(_:with:)`` to change them.
  case setStack([Blueprint<Screen>], of: NodeID)

  case select(TabKey, in: NodeID)

  /// Replaces the list of tabs.
  ///
  /// A tab whose key exists already is kept unchanged, unless the blueprint names another owner. The other tabs of the
  /// list are built, and tabs that are not in the list are removed.
  ///
  /// Without a selection the selected tab stays selected. If it is removed, the next tab that remains is selected, or
  /// else the previous one, or else the first tab of the list.
  ///
  /// To close a tab, list the others: `tabs.filter { $0.key != key }.map { .tab($0.key, $0.node.blueprint) }`.
  case setTabs([Blueprint<Screen>.Tab], of: NodeID, selected: TabKey? = nil)

  /// Presents a modal over a node.
  ///
  /// Throws when the node presents one already.
  case present(Blueprint<Screen>, over: NodeID)

  /// Dismisses the modal of a node, with its content and all modals over it.
  case dismiss(over: NodeID)

  case replace(NodeID, with: Blueprint<Screen>)

  /// Replaces the screen of a node; the node keeps its identity and its modal.
  case update(NodeID, to: Screen)

  /// Makes an existing node visible, across modals and tabs, from any depth.
  ///
  /// Removes the elements above it in stacks and the modals that cover it, and selects the tabs that contain it. The
  /// content of the node is unchanged.
  case unwind(to: UnwindTarget)

  /// Removes all nodes that belong to a coordinator or to its descendants.
  ///
  /// A stack that becomes empty is removed too. Throws when the root or the content of a tab would be removed; use
  /// ``setTabs(_:of:selected:)`` to remove a tab.
  case remove(CoordinatorID)

  /// Makes a target visible, from any state, and keeps unchanged nodes; see ``Navigation/apply(_:)``.
  case show(Blueprint<Screen>)
}

public enum UnwindTarget: Hashable, Sendable {
  case node(NodeID)
  /// The topmost node of a coordinator: the deepest one on the path to the visible screen, or else the last one in the tree.
  case coordinator(CoordinatorID)
}
