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
    texts: RemotePageTexts = RemotePageTexts()
  ) -> Page where Provider.Screen == Page {
    var page = Page(title, elements + [.text(texts.loading, role: .note)], isLoading: true)
    page.source = PageSource(provider, loading: page, texts: texts)
    return page
  }
}

/// The words around the content of a remote page, in English by default.
public struct RemotePageTexts: Hashable, Sendable {
  public var loading = "Loading…"
  public var tryAgain = "Try again"
  public var notUpToDate = "Not up to date:"

  public init() {}
}

@MainActor
package final class PageSource<Action: Sendable> {
  private(set) var page: Page<Action>
  private(set) var isFetching = false
  var onChange: () -> Void = {}
  private(set) var appear: () -> Void = {}
  private(set) var leave: () -> Void = {}
  private(set) var refresh: () -> Void = {}

  init<Provider: RemoteContentProviding>(
    _ provider: Provider, loading: Page<Action>, texts: RemotePageTexts
  ) where Provider.Screen == Page<Action> {
    page = loading
    let container = RemoteContentContainer(provider) { [weak self] container in
      guard let self else { return }
      isFetching = container.content.isFetching
      page = container.content.page(for: container.screen, or: loading, texts)
      onChange()
    }
    appear = { container.appear() }
    leave = { container.leave() }
    refresh = { container.refresh() }
  }
}

extension RemoteContent {
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
