/// A description of screens, stacks, tabs and modals, before they have identities.
///
/// ```swift
/// let dictionary = Blueprint.tabs(
///   [.tab("words", .stack([.screen(.words)])), .tab("phrases", .stack([.screen(.phrases)]))])
/// ```
///
/// An ``Intent`` adds it to a ``Navigation``, which assigns an identity to each node. The target of a link is a blueprint too.
public struct Blueprint<Screen: Hashable & Sendable>: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case screen(Screen)
    /// Blueprints above each other, from the bottom up; the last one is visible.
    case stack([Blueprint])
    /// Blueprints beside each other; without a selection, the first one is visible.
    case tabs([Tab], selected: TabKey?)
  }

  public struct Tab: Hashable, Sendable {
    public var key: TabKey
    public var content: Blueprint

    public static func tab(_ key: TabKey, _ content: Blueprint) -> Tab { Tab(key: key, content: content) }
  }

  /// The owner.
  ///
  /// Inherited from the parent node when `nil`.
  public var owner: CoordinatorID?
  public var content: Content
  private var presented: [Blueprint] = []

  public var modal: Blueprint? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }

  public static func screen(_ screen: Screen) -> Blueprint { Blueprint(content: .screen(screen)) }

  /// Creates a stack from its elements, from the bottom up.
  ///
  /// A stack without elements is rejected when it is built.
  public static func stack(_ elements: [Blueprint]) -> Blueprint { Blueprint(content: .stack(elements)) }

  /// Creates tabs.
  ///
  /// An empty array, or two tabs with the same key, is rejected when the tabs are built.
  public static func tabs(_ tabs: [Tab], selected: TabKey? = nil) -> Blueprint {
    Blueprint(content: .tabs(tabs, selected: selected))
  }

  public func presenting(_ modal: Blueprint) -> Blueprint {
    var copy = self
    copy.modal = modal
    return copy
  }

  /// Returns a copy that belongs to a coordinator.
  ///
  /// Nested blueprints inherit the owner, unless they name another one.
  public func owned(by owner: CoordinatorID) -> Blueprint {
    var copy = self
    copy.owner = owner
    return copy
  }

  private init(content: Content) { self.content = content }
}

extension Node {
  /// A blueprint that builds this node again, with new identities.
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
