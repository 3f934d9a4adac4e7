/// What a shell has, and what a person can do to it without asking anybody: the part that all shells share.
///
/// ```swift
/// var tree = ShellTree<Screen>()
/// let acknowledgement = try tree.perform(batch)
/// if tree.goBack(), let skeleton = tree.skeleton { navigator.observe(skeleton) }
/// ```
///
/// A platform's own containers keep this by themselves: a navigation controller pops before it says so. A shell that
/// draws, or writes pages, has no such containers, and keeps this.
public struct ShellTree<Screen: Hashable & Sendable>: Sendable {
  /// What it shows; `nil` before the first batch.
  public private(set) var navigation: Navigation<Screen>?

  /// Creates a shell's tree that shows nothing.
  public init() {}

  /// What it has.
  public var skeleton: Skeleton? { navigation?.skeleton }

  /// Carries out a batch.
  ///
  /// - Returns: The acknowledgement, with what the shell has now; `nil` when it has nothing, since the first batch did not
  ///   set the root.
  /// - Throws: ``NavigationError`` for commands that were not made for what it shows.
  @discardableResult
  public mutating func perform(_ batch: Batch<Screen>) throws(NavigationError) -> Acknowledgement? {
    if navigation == nil, case .setRoot(let root)? = batch.commands.first {
      navigation = Navigation(root: root, nextID: 0)
    }
    navigation = try navigation?.performing(batch.commands)
    return skeleton.map { Acknowledgement(batch: batch.number, skeleton: $0) }
  }

  /// The screen that the uppermost modal in sight covers.
  public var screenBelowModal: Node<Screen>? {
    navigation?.frontPath.last { $0.modal != nil }?.screenBelowModal
  }

  /// Where ``goBack()`` would lead: the screen that would be in sight; `nil` when there is no way back.
  public var screenBehind: Node<Screen>? {
    var copy = self
    return copy.goBack() ? copy.navigation?.front : nil
  }

  /// Goes one screen back: pops the innermost stack in sight that has something to pop, or else takes the uppermost modal
  /// away.
  ///
  /// - Returns: Whether there was a way back.
  @discardableResult
  public mutating func goBack() -> Bool { swipeBack() || dismissModal() }

  /// Pops the innermost stack in sight that has something to pop, as a swipe from the edge does.
  ///
  /// - Returns: Whether there was one that no modal is in front of.
  @discardableResult
  public mutating func swipeBack() -> Bool {
    guard let path = navigation?.frontPath else { return false }
    for node in path.reversed() {
      if node.kind == .stack, node.children.count > 1 { return play(.pop(from: node.id)) }
      // What is below a modal is out of reach.
      if path.contains(where: { $0.modal?.id == node.id }) { return false }
    }
    return false
  }

  /// Takes the uppermost modal away, as a swipe down does.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func dismissModal() -> Bool {
    guard let presenter = navigation?.frontPath.last(where: { $0.modal != nil }) else { return false }
    return play(.dismiss(over: presenter.id))
  }

  /// The innermost tabs in sight, if there are any.
  ///
  /// A modal over them covers them; one over a screen in a tab does not, and goes out of sight with the tab.
  public var tabsInSight: Node<Screen>? {
    navigation?.frontPath.last { $0.kind == .tabs && $0.modal == nil }
  }

  /// Selects one of the innermost tabs in sight.
  ///
  /// - Returns: Whether there are tabs with that key in sight.
  @discardableResult
  public mutating func select(_ key: TabKey, reselection: Reselection = .stays) -> Bool {
    guard let tabs = tabsInSight else { return false }
    return play(.select(key, in: tabs.id, reselection: reselection))
  }

  /// Closes one of the innermost tabs in sight, as a person does where tabs can be closed.
  ///
  /// - Returns: Whether there are tabs with that key in sight, and others beside it.
  @discardableResult
  public mutating func closeTab(_ key: TabKey) -> Bool {
    guard let tabs = tabsInSight else { return false }
    return play(.closeTab(key, in: tabs.id))
  }

  /// Makes a screen the one in sight that is there already, whatever covers it: what a browser's back button does.
  ///
  /// - Returns: Whether the screen is there.
  @discardableResult
  public mutating func goBack(to id: NodeID) -> Bool {
    navigation?[id]?.kind == .screen && play(.unwind(to: .node(id)))
  }

  /// Goes back until the screen in sight is older than a node that is gone: what a browser's back button means that leads to
  /// a screen which was taken away from below, the search that found what is in sight, say.
  ///
  /// Identities count up, so an older screen has a smaller one.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  public mutating func goBack(before id: NodeID) -> Bool {
    var hasMoved = false
    while let front = navigation?.front.id, front > id, goBack() { hasMoved = true }
    return hasMoved
  }

  private mutating func play(_ intent: Intent<Screen>) -> Bool {
    guard let navigation, let after = try? navigation.applying(intent) else { return false }
    self.navigation = after
    return true
  }
}

extension Node {
  /// The screen that would be in sight in this node without its modal.
  var screenBelowModal: Node {
    switch content {
    case .screen: self
    case .stack(let elements): elements.last?.front ?? self
    case .tabs(let tabs, let selected): tabs[selected].node.front
    }
  }
}
