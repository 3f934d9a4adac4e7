/// Something that a coordinator, a link or a person wants of a ``Navigation``.
///
/// ```swift
/// try navigation.apply(.push(.screen(.word("fiets")), onto: words))
/// try navigation.apply(.unwind(to: .coordinator("application/dictionary")))
/// ```
///
/// Intents are values: they can be recorded, compared and sent on. Nodes that stay keep their identity, and a node never
/// moves from one parent to another.
public enum Intent<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// Puts something on top of a stack.
  case push(Blueprint<Screen>, onto: NodeID)

  /// Takes the top of a stack away, with what it presents. Throws when it is the only element.
  case pop(from: NodeID)

  /// Takes away all of a stack but the element that it stands on, and what that one presents.
  case popToRoot(of: NodeID)

  /// Puts other elements into a stack; those with the same content from the bottom up stay.
  case setStack([Blueprint<Screen>], of: NodeID)

  /// Selects one of the tabs. For the one that is selected, ``Reselection`` says what happens.
  case select(TabKey, in: NodeID, reselection: Reselection = .popsToRoot)

  /// Lets tabs be these, in this order. One whose key is there already stays as it is, with all that a person has done in
  /// it, unless the blueprint names another owner; the others are built, and those that are not named go.
  ///
  /// Without a selection the selected tab stays selected; when it goes, its neighbour is, as for ``closeTab(_:in:)``.
  case setTabs([Blueprint<Screen>.Tab], of: NodeID, selected: TabKey? = nil)

  /// Takes one of the tabs away, with all that is inside and above. When it was selected, the next one is then, or else the
  /// one before. Throws when it is the only tab.
  case closeTab(TabKey, in: NodeID)

  /// Covers a node with a modal. Throws when it has one.
  case present(Blueprint<Screen>, over: NodeID)

  /// Takes the modal of a node away, with all that is inside and above.
  case dismiss(over: NodeID)

  /// Puts something else in the place of a node, with what it presents.
  case replace(NodeID, with: Blueprint<Screen>)

  /// Puts another screen into a node that is one; the node keeps its identity and what it presents.
  case update(NodeID, to: Screen)

  /// Brings something into sight that is there already, across modals and tabs, from any depth: what is above it in
  /// stacks and what covers it goes, and the tabs that it is in are selected. What is inside it stays as it is.
  ///
  /// This is how to pop a whole stack, the question that *Boundaries in Practice* left open.
  case unwind(to: UnwindTarget)

  /// Takes away all that belongs to a coordinator or to those below it. A stack that would be empty goes as well; throws
  /// when the root, or the content of a tab, would: a tab goes by ``closeTab(_:in:)``.
  case remove(CoordinatorID)

  /// Brings a target into sight, from any state, and keeps what need not change; see ``Navigation/apply(_:)``.
  case show(Blueprint<Screen>)
}

/// What happens when the selected tab is selected again.
public enum Reselection: Hashable, Sendable {
  /// Nothing.
  case stays
  /// The innermost stack in sight in that tab pops to its root, as people expect; the stacks around it stay.
  case popsToRoot
}

/// What to unwind to.
public enum UnwindTarget: Hashable, Sendable {
  /// A node.
  case node(NodeID)
  /// The topmost node that belongs to a coordinator: the deepest one on the way to the screen in sight, or the last one
  /// elsewhere, when it is out of sight.
  case coordinator(CoordinatorID)
}
