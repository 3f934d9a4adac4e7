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
  ///   - elements: What stands on the page before there is content: a form, say, that is still there when there is.
  ///   - cache: What to show before, or instead of, fetching.
  ///   - texts: The words around the content.
  public init<Provider: RemoteContentProviding>(
    _ provider: Provider, title: String, whileLoading elements: [Page<Action>.Element] = [],
    cache: RemoteContentCache<Provider.Content> = .none, texts: RemotePageTexts = RemotePageTexts()
  ) where Provider.Screen == Page<Action> {
    let loading = Page(title, elements + [.text(texts.loading, role: .note)], isLoading: true)
    page = loading
    let container = RemoteContentContainer(provider, cache: cache) { [weak self] container in
      guard let self else { return }
      isFetching = container.phase.isFetching
      page = container.phase.page(for: container.screen, or: loading, texts)
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

  /// Fetches again: after a failure, or to replace the content.
  ///
  /// Does nothing while the screen is out of sight.
  public func refresh() { refreshing() }
}

/// The words that a ``RemotePage`` has around its content: a value that the app hands in, in English without one.
public struct RemotePageTexts: Hashable, Sendable {
  /// What stands in the place of content that is being fetched.
  public var loading = "Loading…"
  /// The button after a fetch that failed.
  public var tryAgain = "Try again"
  /// What comes before the reason why older content is still shown.
  public var notUpToDate = "Not up to date:"

  /// Creates the words in English.
  public init() {}
}

extension RemoteContent.Phase {
  fileprivate var isFetching: Bool {
    switch self {
    case .loading, .content(_, isRefreshing: true): true
    case .idle, .content, .failed: false
    }
  }

  /// The page for this phase around what the provider shows, or before that.
  fileprivate func page<Action>(
    for screen: Page<Action>?, or loading: Page<Action>, _ texts: RemotePageTexts
  ) -> Page<Action> {
    guard var page = screen else { return loading }
    page.isRefreshable = true
    let again = Page<Action>.Element.button(Page.Button(id: "refresh", texts.tryAgain, .refresh))
    switch self {
    case .idle, .loading: break
    case .content(_, let isRefreshing): page.isLoading = isRefreshing
    case .failed(_, nil): page.elements.append(again)
    case .failed(let failure, _?):
      page.elements.insert(contentsOf: [.text("\(texts.notUpToDate) \(failure)", role: .alert), again], at: 0)
    }
    return page
  }
}
