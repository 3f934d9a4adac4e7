/// A list of items: its cells, and the action of a selection.
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
/// A list pushes no screens itself. Selecting an item returns an action, and the coordinator handles it.
///
/// Source: *Boundaries in Practice*, `ListViewController`, after objc.io's functional view controllers.
public struct ListScreen<Item: Identifiable & Sendable, Action: Sendable>: Sendable {
  public var title: String
  public var items: [Item]
  public var placeholder = "Nothing here."
  /// Fills the cell of an item; called for each item whenever the page is made.
  public var configureCell: @Sendable (inout ListCell, Item) -> Void
  public var didSelectItem: @Sendable (Item) -> Action

  /// Creates a list.
  public init(
    _ title: String, items: [Item], configureCell: @escaping @Sendable (inout ListCell, Item) -> Void,
    didSelectItem: @escaping @Sendable (Item) -> Action
  ) {
    self.title = title
    self.items = items
    self.configureCell = configureCell
    self.didSelectItem = didSelectItem
  }

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
