#if canImport(UIKit)
  public import Coordinators
  public import UIKit

  /// A table of anything: the ``ListScreen`` of the core, shown by UIKit.
  ///
  /// ```swift
  /// let list = ListViewController(screen) { [weak navigator] action in navigator?.send(action, from: node.id) }
  /// ```
  ///
  /// It pushes nothing by itself; it says what was selected.
  ///
  /// Source: *Boundaries in Practice*, `ListViewController`.
  public final class ListViewController<Item: Identifiable & Sendable, Action: Sendable>: UITableViewController {
    /// What it shows; another one is shown at once.
    public var screen: ListScreen<Item, Action> {
      didSet { show() }
    }
    private let send: (Action) -> Void

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - screen: What it shows.
    ///   - send: Hears the action of an item that was selected.
    public init(_ screen: ListScreen<Item, Action>, send: @escaping (Action) -> Void) {
      self.screen = screen
      self.send = send
      super.init(style: .plain)
      title = screen.title
    }

    /// Not to be had from a storyboard: a list is made with its items.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Prepares the cells.
    public override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "item")
    }

    /// As many as there are items.
    public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      screen.items.count
    }

    /// The cell of an item.
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

    /// Says what was selected.
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
