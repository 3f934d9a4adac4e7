/// The pages of the screens that a shell shows, and the fetches of the visible ones.
///
/// A fetch begins when its screen becomes visible, and is cancelled when the screen is covered or removed. A screen below a
/// modal counts as visible, because shells may show a part of it. Fetched content is kept as long as its screen is in the
/// navigation.
@MainActor
package final class ScreenContents<Screen: NavigationScreen> {
  private struct Entry {
    let screen: Screen
    let source: PageSource<Screen.Action>
    var isCounted = false
  }

  private let makePage: (Screen) -> Page<Screen.Action>
  private let work: PendingWork
  private var entries: [NodeID: Entry] = [:]
  private var visible: Set<NodeID> = []
  package var onChange: (NodeID) -> Void = { _ in }

  /// A remote page is kept until its node has another screen.
  package init(work: PendingWork, page: @escaping (Screen) -> Page<Screen.Action>) {
    self.work = work
    makePage = page
  }

  package func page(of node: Node<Screen>) -> Page<Screen.Action> {
    guard let screen = node.screen else { return Page("") }
    if let entry = entries[node.id], entry.screen == screen { return entry.source.page }
    let page = makePage(screen)
    guard let source = page.source else { return page }
    return keep(source, for: screen, in: node.id).page
  }

  package func follow(_ navigation: Navigation<Screen>?) {
    var present: [NodeID: Screen] = [:]
    navigation?.root.forEach { if let screen = $0.screen { present[$0.id] = screen } }
    for (id, entry) in entries where present[id] != entry.screen { drop(id, entry) }
    let nodes = navigation?.visibleScreens ?? []
    let before = visible
    visible = Set(nodes.map(\.id))
    for id in before.subtracting(visible) { entries[id]?.source.leave() }
    for node in nodes {
      _ = page(of: node)
      entries[node.id]?.source.appear()
    }
  }

  package func refresh(_ id: NodeID) {
    if visible.contains(id) { entries[id]?.source.refresh() }
  }

  package var count: Int { entries.count }

  private func keep(
    _ source: PageSource<Screen.Action>, for screen: Screen, in id: NodeID
  ) -> PageSource<Screen.Action> {
    if let old = entries[id] { drop(id, old) }
    entries[id] = Entry(screen: screen, source: source)
    source.onChange = { [weak self, weak source] in
      guard let source else { return }
      self?.changed(id, source)
    }
    return source
  }

  private func drop(_ id: NodeID, _ entry: Entry) {
    // Without this, a listener that reads the page would find the old source and drop it again, without end.
    entry.source.onChange = {}
    let wasCounted = entries[id]?.isCounted ?? false
    entries[id] = nil
    visible.remove(id)
    entry.source.leave()
    if wasCounted { work.end() }
  }

  private func changed(_ id: NodeID, _ source: PageSource<Screen.Action>) {
    guard var entry = entries[id], entry.source === source else { return }
    let wasCounted = entry.isCounted
    entry.isCounted = source.isFetching
    entries[id] = entry
    if !wasCounted, entry.isCounted { work.begin() }
    onChange(id)
    if wasCounted, !entry.isCounted { work.end() }
  }
}

extension Navigation {
  fileprivate var visibleScreens: [Node<Screen>] {
    frontPath.compactMap { node in node.modal == nil ? nil : node.screenBelowModal } + [front]
  }
}
