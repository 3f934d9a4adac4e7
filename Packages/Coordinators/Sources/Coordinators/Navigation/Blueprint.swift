/// What is to be shown, before it has a place: screens, stacks, tabs and modals without identities.
///
/// ```swift
/// let dictionary = Blueprint.tabs(
///   [.tab("words", .stack([.screen(.words)])), .tab("phrases", .stack([.screen(.phrases)]))])
/// ```
///
/// An ``Intent`` puts it into a ``Navigation``, where each part gets its identity. A link's target is a blueprint too.
public struct Blueprint<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// What is to be shown when no modal covers it.
  public enum Content: Hashable, Sendable {
    /// A screen of the app.
    case screen(Screen)
    /// One above the other, the last one in sight.
    case stack([Blueprint])
    /// One beside the other; without a selection, the first is in sight.
    case tabs([Tab], selected: TabKey?)
  }

  /// One of several beside each other.
  public struct Tab: Hashable, Sendable {
    /// The name of the tab.
    public var key: TabKey
    /// What the tab shows.
    public var content: Blueprint

    /// A tab with a name and what it shows.
    public static func tab(_ key: TabKey, _ content: Blueprint) -> Tab { Tab(key: key, content: content) }
  }

  /// Whose it is; without one, it belongs to the coordinator of the node that it is put into.
  public var owner: CoordinatorID?
  /// What is to be shown when no modal covers it.
  public var content: Content
  private var presented: [Blueprint] = []

  /// What is to cover it.
  public var modal: Blueprint? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }

  /// A screen.
  public static func screen(_ screen: Screen) -> Blueprint { Blueprint(content: .screen(screen)) }

  /// One above the other, from the bottom up; it has to have one at least.
  public static func stack(_ elements: [Blueprint]) -> Blueprint { Blueprint(content: .stack(elements)) }

  /// One beside the other; it has to have one at least, and each a key of its own.
  ///
  /// - Parameters:
  ///   - tabs: The tabs, in the order in which they are shown.
  ///   - selected: The one in sight; the first, when it is `nil`.
  public static func tabs(_ tabs: [Tab], selected: TabKey? = nil) -> Blueprint {
    Blueprint(content: .tabs(tabs, selected: selected))
  }

  /// The same, covered by a modal.
  public func presenting(_ modal: Blueprint) -> Blueprint {
    var copy = self
    copy.modal = modal
    return copy
  }

  /// The same, and it and what is inside belongs to a coordinator, unless it says otherwise there.
  public func owned(by owner: CoordinatorID) -> Blueprint {
    var copy = self
    copy.owner = owner
    return copy
  }

  private init(content: Content) { self.content = content }
}

extension Blueprint {
  /// The screen that is to be in sight.
  public var front: Screen? {
    if let modal { return modal.front }
    switch content {
    case .screen(let screen): return screen
    case .stack(let elements): return elements.last?.front
    case .tabs(let tabs, let selected): return (tabs.first { $0.key == selected } ?? tabs.first)?.content.front
    }
  }
}

extension Node {
  /// What this node shows, without identities: a blueprint that would build it again.
  public var blueprint: Blueprint<Screen> {
    var blueprint: Blueprint<Screen> =
      switch content {
      case .screen(let screen): .screen(screen)
      case .stack(let elements): .stack(elements.map(\.blueprint))
      case .tabs(let tabs, let selected):
        .tabs(tabs.map { .tab($0.key, $0.node.blueprint) }, selected: tabs[selected].key)
      }
    blueprint.modal = modal?.blueprint
    blueprint.owner = owner
    return blueprint
  }
}
