package import Futures

extension Page {
  /// A page whose content is fetched: the page of a ``RemoteContentProviding``.
  ///
  /// ```swift
  /// case .story(let id): .remote(StoryProvider(id: id, client: client), title: "Story")
  /// ```
  ///
  /// During the first fetch the page shows the title, `elements` and a note. After a failure it has a button to retry.
  /// Content stays visible during a refresh and after a failed one. The fetch is cancelled when the screen is hidden or
  /// removed; a modal does not hide it.
  ///
  /// Source: *Boundaries in Practice*, the `RemoteContentContainerViewController` on the stack of a link.
  @MainActor
  public static func remote<Provider: RemoteContentProviding>(
    _ provider: Provider, title: String, whileLoading elements: [Element] = [],
    texts: PageTexts = PageTexts()
  ) -> Page where Provider.Presentation == Page {
    var page = Page(title, elements + [.text(texts.loading, role: .note)], isLoading: true)
    page.source = PageSource(provider, loading: page, texts: texts)
    return page
  }
}

@MainActor
package final class PageSource<Action: Sendable> {
  private(set) var page: Page<Action>
  var onChange: () -> Void = {}
  weak var work: PendingWork?
  private var isFetching = false
  private(set) var appear: () -> Void = {}
  private(set) var leave: () -> Void = {}
  private(set) var refresh: () -> Void = {}

  init<Provider: RemoteContentProviding>(
    _ provider: Provider, loading: Page<Action>, texts: PageTexts
  ) where Provider.Presentation == Page<Action> {
    page = loading
    let container = RemoteContentContainer(provider) { [weak self] container in
      guard let self else { return }
      page = container.content.page(for: container.presentation, or: loading, texts)
      let wasFetching = isFetching
      isFetching = container.content.isFetching
      if isFetching, !wasFetching { work?.begin() }
      let ended = wasFetching && !isFetching
      // A listener may begin another fetch, so the end of this one is decided before.
      onChange()
      if ended { work?.end() }
    }
    appear = { container.appear() }
    leave = { container.leave() }
    refresh = { container.refresh() }
  }
}

extension RemoteContent {
  fileprivate func page<Action>(
    for screen: Page<Action>?, or loading: Page<Action>, _ texts: PageTexts
  ) -> Page<Action> {
    var page = screen ?? loading
    let again = Page<Action>.Element.button(Page.Button(id: "refresh", texts.tryAgain, .refresh))
    page.isRefreshable = screen != nil
    switch self {
    case .loading: break
    // The fetch ended without a result, or the screen is hidden.
    case .idle: (page.isLoading, page.elements) = (false, loading.elements.dropLast() + [again])
    case .content(_, let isRefreshing): page.isLoading = isRefreshing
    case .failed(_, nil): page.elements.append(again)
    case .failed(let failure, _?):
      page.elements.insert(contentsOf: [.text("\(texts.notUpToDate) \(failure)", role: .alert), again], at: 0)
    }
    return page
  }
}

/// The pages of the screens that a shell shows, and the fetches of the visible ones.
///
/// A fetch begins when its screen becomes visible, and is cancelled when the screen is covered or removed. A screen below a
/// modal counts as visible, because shells may show a part of it. Fetched content is kept as long as its screen is in the
/// navigation.
@MainActor
package final class ScreenContents<Screen: NavigationScreen> {
  private typealias Entry = (screen: Screen, source: PageSource<Screen.Action>)

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
    if let old = entries[node.id] { drop(node.id, old) }
    entries[node.id] = (screen, source)
    source.work = work
    source.onChange = { [weak self] in self?.onChange(node.id) }
    return source.page
  }

  /// Fetches the content of the visible screens, and returns the page in front.
  @discardableResult
  package func follow(_ navigation: Navigation<Screen>?) -> Page<Screen.Action> {
    var present: [NodeID: Screen] = [:]
    navigation?.root.forEach { if let screen = $0.screen { present[$0.id] = screen } }
    for (id, entry) in entries where present[id] != entry.screen { drop(id, entry) }
    let nodes = navigation?.visibleScreens ?? []
    let before = visible
    visible = Set(nodes.map(\.id))
    for id in before.subtracting(visible) { entries[id]?.source.leave() }
    var front = Page<Screen.Action>("")
    for node in nodes {
      front = page(of: node)
      guard let source = entries[node.id]?.source else { continue }
      source.appear()
      front = source.page
    }
    return front
  }

  package func refresh(_ id: NodeID) {
    if visible.contains(id) { entries[id]?.source.refresh() }
  }

  package var count: Int { entries.count }

  private func drop(_ id: NodeID, _ entry: Entry) {
    // Without this, a listener that reads the page would find the old source and drop it again, without end.
    entry.source.onChange = {}
    entries[id] = nil
    visible.remove(id)
    entry.source.leave()
  }
}

extension Navigation {
  fileprivate var visibleScreens: [Node<Screen>] {
    frontPath.compactMap { node in node.modal == nil ? nil : node.screenBelowModal } + [front]
  }
}

@MainActor
package final class PendingWork {
  private var count = 0
  private var waiting: [AsyncStream<Never>.Continuation] = []

  package init() {}

  package var isPending: Bool { count > 0 }

  package func begin() { count += 1 }

  package func end() {
    count -= 1
    guard count == 0, !waiting.isEmpty else { return }
    // Work that ended may begin other work on this actor: wait for that too.
    Task {
      guard count == 0 else { return }
      for continuation in waiting { continuation.finish() }
      waiting = []
    }
  }

  /// Returns at once when the task is cancelled; the work continues.
  package func waitUntilIdle() async {
    guard isPending else { return }
    let (idle, continuation) = AsyncStream.makeStream(of: Never.self)
    waiting.append(continuation)
    for await _ in idle {}
  }

  @discardableResult
  package func track<Value, Failure>(
    _ future: Future<Value, Failure>, then: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
  ) -> Future<Value, Failure> {
    begin()
    future.onComplete(then, ended: end)
    return future
  }
}
