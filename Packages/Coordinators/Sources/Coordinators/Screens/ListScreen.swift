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
/// A list pushes no screens itself. Selecting an item returns an action, and the coordinator handles it. A list is independent
/// of other screens and of shells; shells show its ``page``.
///
/// Source: *Boundaries in Practice*, `ListViewController`, after objc.io's functional view controllers.
public struct ListScreen<Item: Identifiable & Sendable, Action: Sendable>: Sendable {
  /// The title above the list.
  public var title: String
  /// The items; their identities must be unique.
  public var items: [Item]
  /// The text that replaces an empty list.
  public var placeholder = "Nothing here."
  /// Fills the cell of an item; called for each item whenever the page is made.
  public var configureCell: @Sendable (inout ListCell, Item) -> Void
  /// Returns the action for the coordinator when an item is selected.
  public var didSelectItem: @Sendable (Item) -> Action

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - title: The title above the list.
  ///   - items: The items; their identities must be unique.
  ///   - configureCell: Fills the cell of an item.
  ///   - didSelectItem: Returns the action for the coordinator when an item is selected.
  public init(
    _ title: String, items: [Item], configureCell: @escaping @Sendable (inout ListCell, Item) -> Void,
    didSelectItem: @escaping @Sendable (Item) -> Action
  ) {
    self.title = title
    self.items = items
    self.configureCell = configureCell
    self.didSelectItem = didSelectItem
  }

  /// The page that shells show, with a row for each item.
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
