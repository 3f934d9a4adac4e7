/// A list of anything: its items, how a cell shows one, and what it means to select one.
///
/// ```swift
/// let list = ListScreen("Words", items: dataSource.words) { cell, word in
///   cell.title = word.dutch
///   cell.detail = word.english
/// } didSelectItem: { word in
///   Screen.Action.select(word)
/// }
/// ```
///
/// It pushes nothing by itself: selecting an item makes an action, and the coordinator decides. A list knows no other
/// screen, and no shell; ``page`` is what shells show of it.
///
/// Source: *Boundaries in Practice*, `ListViewController`, after objc.io's functional view controllers.
public struct ListScreen<Item: Identifiable & Sendable, Action: Sendable>: Sendable {
  /// What stands above the list.
  public var title: String
  /// What is listed; no two of one identity.
  public var items: [Item]
  /// What stands there instead of items, when there are none.
  public var placeholder = "Nothing here."
  /// Fills the cell of an item; called for each, whenever the page is made.
  public var configureCell: @Sendable (inout ListCell, Item) -> Void
  /// What the coordinator hears when an item is selected.
  public var didSelectItem: @Sendable (Item) -> Action

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - title: What stands above the list.
  ///   - items: What is listed; no two of one identity.
  ///   - configureCell: Fills the cell of an item.
  ///   - didSelectItem: What the coordinator hears when an item is selected.
  public init(
    _ title: String, items: [Item], configureCell: @escaping @Sendable (inout ListCell, Item) -> Void,
    didSelectItem: @escaping @Sendable (Item) -> Action
  ) {
    self.title = title
    self.items = items
    self.configureCell = configureCell
    self.didSelectItem = didSelectItem
  }

  /// What shells show: a row for each item.
  public var page: Page<Action> {
    guard !items.isEmpty else { return Page(title, [.text(placeholder, role: .note)]) }
    return Page(
      title,
      items.map { item in
        var cell = ListCell()
        configureCell(&cell, item)
        return .row(Page.Row(id: "\(item.id)", cell, didSelectItem(item)))
      })
  }
}
