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
      let index = tabs.firstIndex(where: { $0.key == key })
    else { return nil }
    let visible = frontPath.drop { $0.id != node.id }.prefix { $0.modal == nil }
    if index == selected, let stack = visible.last(where: { $0.kind == .stack }) { return .popToRoot(of: stack.id) }
    return .select(key, in: node.id)
  }

  /// The innermost tabs on the path to the visible screen, except tabs that present a modal.
  ///
  /// A modal over a screen in a tab does not hide the tabs. Selecting another tab hides that modal with its screen.
  public var visibleTabs: Node<Screen>? { frontPath.last { $0.kind == .tabs && $0.modal == nil } }

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
