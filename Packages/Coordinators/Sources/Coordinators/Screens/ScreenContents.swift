/// What a screen shows: a page that is there, or one whose content comes from elsewhere.
public enum ScreenContent<Action: Sendable> {
  /// A page that is there.
  case page(Page<Action>)
  /// A page whose content has to be fetched.
  case remote(RemotePage<Action>)
}

/// The pages of the screens that a shell has, and the fetches of those in sight.
///
/// ```swift
/// let contents = ScreenContents<Screen>(work: work) { screen in
///   switch screen {
///   case .word(let word): .page(WordScreen(word: word).page)
///   case .wordID(let id): .remote(RemotePage(WordProvider(id: id, client: client), title: "Word"))
///   }
/// }
/// ```
///
/// A fetch begins when its screen comes into sight, and ends when that goes out of it, or is gone: nobody waits for what
/// nobody sees. What a modal covers counts as in sight, since shells may let it be seen. Content that was fetched stays for
/// as long as the screen is in the navigation.
@MainActor
public final class ScreenContents<Screen: NavigationScreen> {
  private struct Entry {
    let screen: Screen
    let remote: RemotePage<Screen.Action>
    var isCounted = false
  }

  private let source: (Screen) -> ScreenContent<Screen.Action>
  private let work: PendingWork
  private var entries: [NodeID: Entry] = [:]
  private var inSight: Set<NodeID> = []
  /// Hears that the page of a screen has changed; the shell sets it.
  public var onChange: (NodeID) -> Void = { _ in }

  /// Creates the contents of no screen.
  ///
  /// - Parameters:
  ///   - work: Counts the fetches.
  ///   - source: What a screen shows; a remote page is asked for once for each node, until its screen is another.
  public init(work: PendingWork = PendingWork(), source: @escaping (Screen) -> ScreenContent<Screen.Action>) {
    self.work = work
    self.source = source
  }

  /// The page of a screen; an empty one for stacks and tabs, which have none.
  public func page(of node: Node<Screen>) -> Page<Screen.Action> {
    guard let screen = node.screen else { return Page("") }
    if let entry = entries[node.id], entry.screen == screen { return entry.remote.page }
    switch source(screen) {
    case .page(let page): return page
    case .remote(let remote): return adopt(remote, for: screen, in: node.id).page
    }
  }

  /// Follows what a shell has: begins the fetches of the screens in sight, ends others, and lets go of what is gone.
  public func follow(_ navigation: Navigation<Screen>?) {
    var present: [NodeID: Screen] = [:]
    navigation?.root.forEach { if let screen = $0.screen { present[$0.id] = screen } }
    for (id, entry) in entries where present[id] != entry.screen { drop(id, entry) }
    let nodes = navigation?.screensInSight ?? []
    let before = inSight
    inSight = Set(nodes.map(\.id))
    for id in before.subtracting(inSight) { entries[id]?.remote.leave() }
    for node in nodes {
      _ = page(of: node)
      entries[node.id]?.remote.appear()
    }
  }

  /// Fetches the content of a screen anew, when it comes from elsewhere and the screen is in sight.
  public func refresh(_ id: NodeID) {
    if inSight.contains(id) { entries[id]?.remote.refresh() }
  }

  /// How many screens have content from elsewhere.
  public var count: Int { entries.count }

  private func adopt(
    _ remote: RemotePage<Screen.Action>, for screen: Screen, in id: NodeID
  ) -> RemotePage<Screen.Action> {
    if let old = entries[id] { drop(id, old) }
    entries[id] = Entry(screen: screen, remote: remote)
    remote.onChange = { [weak self, weak remote] in
      guard let remote else { return }
      self?.changed(id, remote)
    }
    return remote
  }

  private func drop(_ id: NodeID, _ entry: Entry) {
    // Nobody hears of it: who asked for the page then would find the old one again, and drop it again, without end.
    entry.remote.onChange = {}
    let wasCounted = entries[id]?.isCounted ?? false
    entries[id] = nil
    inSight.remove(id)
    entry.remote.leave()
    if wasCounted { work.end() }
  }

  private func changed(_ id: NodeID, _ remote: RemotePage<Screen.Action>) {
    guard var entry = entries[id], entry.remote === remote else { return }
    let wasCounted = entry.isCounted
    entry.isCounted = remote.isFetching
    entries[id] = entry
    if !wasCounted, entry.isCounted { work.begin() }
    onChange(id)
    if wasCounted, !entry.isCounted { work.end() }
  }
}

extension Navigation {
  /// The screen in sight, and before it those that modals in sight cover.
  fileprivate var screensInSight: [Node<Screen>] {
    let covered = frontPath.compactMap { node in node.modal == nil ? nil : node.screenBelowModal }
    return covered + [front]
  }
}
