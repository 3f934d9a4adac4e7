#if canImport(UIKit)
  public import Coordinators
  public import UIKit

  /// A table view controller for a ``ListScreen``.
  ///
  /// ```swift
  /// let list = ListViewController(screen) { [weak navigator] action in navigator?.send(action, from: node.id) }
  /// ```
  ///
  /// It pushes nothing itself; it sends the action of the selected item.
  ///
  /// Source: *Boundaries in Practice*, `ListViewController`.
  public final class ListViewController<Item: Identifiable & Sendable, Action: Sendable>: UITableViewController {
    /// The list; a new list is shown at once.
    public var screen: ListScreen<Item, Action> {
      didSet { show() }
    }
    private let send: (Action) -> Void

    /// Creates a table.
    public init(_ screen: ListScreen<Item, Action>, send: @escaping (Action) -> Void) {
      self.screen = screen
      self.send = send
      super.init(style: .plain)
      title = screen.title
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    public override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "item")
    }

    public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      screen.items.count
    }

    public override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "item", for: indexPath)
      guard screen.items.indices.contains(indexPath.row) else { return cell }
      var filled = ListCell()
      screen.configureCell(&filled, screen.items[indexPath.row])
      var content = cell.defaultContentConfiguration()
      content.text = filled.title
      content.secondaryText = filled.detail
      cell.contentConfiguration = content
      return cell
    }

    public override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      guard screen.items.indices.contains(indexPath.row) else { return }
      send(screen.didSelectItem(screen.items[indexPath.row]))
    }

    private func show() {
      title = screen.title
      if isViewLoaded { tableView.reloadData() }
    }
  }
#endif
