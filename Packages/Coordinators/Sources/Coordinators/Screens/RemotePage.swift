/// A page whose content comes from elsewhere: what a ``RemoteContentProviding`` provides, on one screen, without its types.
///
/// While the content is fetched it shows a title; a fetch that failed gets a button to try again; content that is being
/// refreshed, or could not be, stays in sight.
///
/// Source: *Boundaries in Practice*, the `RemoteContentContainerViewController` on the stack of a link.
@MainActor
public final class RemotePage<Action: Sendable> {
  /// What there is to show.
  public private(set) var page: Page<Action>
  /// Whether a fetch is under way.
  public private(set) var isFetching = false
  /// Hears that the page has changed.
  var onChange: () -> Void = {}
  private var appearing: () -> Void = {}
  private var leaving: () -> Void = {}
  private var refreshing: () -> Void = {}

  /// Creates a page that fetches nothing yet.
  ///
  /// - Parameters:
  ///   - provider: What to fetch, and the page for what came of it.
  ///   - title: What stands above the page before there is content.
  ///   - cache: What to show before, or instead of, fetching.
  public init<Provider: RemoteContentProviding>(
    _ provider: Provider, title: String, cache: RemoteContentCache<Provider.Content> = .none
  ) where Provider.Screen == Page<Action> {
    page = Page(title, [.text("Loading…", role: .note)], isLoading: true)
    let kept = Kept(cache)
    let container = RemoteContentContainer(
      provider,
      cache: RemoteContentCache(load: { kept.load() }, store: { kept.store($0) })
    ) { [weak self] container in
      guard let self else { return }
      kept.isFresh = !container.phase.isFetching
      isFetching = container.phase.isFetching
      page = container.phase.page(titled: title, screen: container.screen)
      onChange()
    }
    appearing = { container.appear() }
    leaving = { container.leave() }
    refreshing = { container.refresh() }
  }

  /// The screen came into sight: fetches what is not there or not fresh.
  func appear() { appearing() }

  /// The screen went out of sight: ends the fetch, and keeps the content that was there.
  func leave() { leaving() }

  /// Fetches anew.
  func refresh() { refreshing() }
}

/// The content that this screen had last, so that coming back to it fetches nothing.
private final class Kept<Content: Sendable> {
  private var content: Content?
  private let cache: RemoteContentCache<Content>
  /// Whether nothing newer was being fetched when the screen was left.
  var isFresh = false

  init(_ cache: RemoteContentCache<Content>) { self.cache = cache }

  func load() -> CachedContent<Content>? { content.map { CachedContent($0, isFresh: isFresh) } ?? cache.load() }

  func store(_ content: Content) {
    self.content = content
    cache.store(content)
  }
}

extension RemoteContent.Phase {
  fileprivate var isFetching: Bool {
    switch self {
    case .loading, .content(_, isRefreshing: true): true
    case .idle, .content, .failed: false
    }
  }

  /// The page for this phase around what the provider shows.
  fileprivate func page<Action>(titled title: String, screen: Page<Action>?) -> Page<Action> {
    guard var page = screen else { return Page(title, [.text("Loading…", role: .note)], isLoading: true) }
    let again = Page<Action>.Element.button(Page.Button(id: "refresh", "Try again", .refresh))
    switch self {
    case .idle, .loading: break
    case .content(_, let isRefreshing): page.isLoading = isRefreshing
    case .failed(_, nil): page.elements.append(again)
    case .failed(let failure, _?):
      page.elements.insert(contentsOf: [.text("Not up to date: \(failure)", role: .alert), again], at: 0)
    }
    return page
  }
}
