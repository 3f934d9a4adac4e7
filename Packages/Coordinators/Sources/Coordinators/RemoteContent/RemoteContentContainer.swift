internal import Futures

/// Fetches the content of a provider, and makes the provider's screen of it.
///
/// ```swift
/// let container = RemoteContentContainer(StoryProvider(id: 12345, client: client)) { container in
///   draw(container.content, container.screen)
/// }
/// container.appear()
/// // … and when the screen leaves:
/// container.leave()  // cancels the fetch
/// ```
///
/// Releasing the container cancels its fetch too. `onChange` is called on the main actor after each change. A result that
/// arrives late is dropped.
///
/// Source: *Boundaries in Practice*, `RemoteContentContainerViewController`.
@MainActor
public final class RemoteContentContainer<Provider: RemoteContentProviding> {
  /// The state of the content.
  public private(set) var content = RemoteContent<Provider.Content, Provider.Failure>.idle
  private let provider: Provider
  private let cache: RemoteContentCache<Provider.Content>
  /// The last fetched content, and whether it needs no new fetch.
  private var lastContent: CachedContent<Provider.Content>?
  /// The number of the fetch in flight, and its future.
  private var fetch: (number: Int, future: Future<Provider.Content, Provider.Failure>?)?
  private var fetches = 0
  /// The fetches that are being cancelled right now: their completion is not a result.
  private var cancelling: Set<Int> = []
  private let onChange: (RemoteContentContainer) -> Void
  private let onLateAnswer: () -> Void

  /// Creates a container that fetches nothing yet.
  ///
  /// - Parameters:
  ///   - provider: Fetches the content, and makes the screen.
  ///   - cache: Content to show before, or instead of, fetching.
  ///   - onLateAnswer: Called when a result was dropped because it arrived too late. The cancellation of a fetch by the
  ///     container is not a result.
  ///   - onChange: Called after ``content`` has changed.
  public init(
    _ provider: Provider, cache: RemoteContentCache<Provider.Content> = .none,
    onLateAnswer: @escaping () -> Void = {}, onChange: @escaping (RemoteContentContainer) -> Void
  ) {
    self.provider = provider
    self.cache = cache
    self.onLateAnswer = onLateAnswer
    self.onChange = onChange
  }

  deinit { fetch?.future?.cancel() }

  /// The provider's screen for the content, or for the failure without content; `nil` before either.
  public var screen: Provider.Screen? {
    if let content = content.content { return provider.screen(for: .success(content)) }
    if case .failed(let failure, _) = content { return provider.screen(for: .failure(failure)) }
    return nil
  }

  /// Begins to fetch, unless there is fresh content; call it when the screen becomes visible.
  public func appear() {
    guard case .idle = content else { return onChange(self) }
    guard let known = knownContent else { return beginFetch(showing: .loading) }
    if !known.isFresh { return beginFetch(showing: .content(known.content, isRefreshing: true)) }
    set(.content(known.content, isRefreshing: false))
  }

  /// Fetches again: after a failure, or to replace the content.
  ///
  /// Does nothing while the screen is not visible, or a fetch is in flight.
  public func refresh() {
    if case .idle = content { return onChange(self) }
    guard fetch == nil else { return onChange(self) }
    beginFetch(showing: content.content.map { .content($0, isRefreshing: true) } ?? .loading)
  }

  /// Cancels the fetch, and keeps the fetched content; call it when the screen leaves.
  public func leave() {
    let cancelled = fetch
    (content, fetch) = (.idle, nil)
    if let cancelled {
      cancelling.insert(cancelled.number)
      cancelled.future?.cancel()
      cancelling.remove(cancelled.number)
    }
    onChange(self)
  }

  /// The content of the cache, which may be newer and knows when content grows old, or else the last content.
  private var knownContent: CachedContent<Provider.Content>? {
    guard let lastContent else { return cache.load() }
    guard let cached = cache.load() else {
      return CachedContent(lastContent.content, isFresh: lastContent.isFresh && cache.keepsNothing)
    }
    return CachedContent(cached.content, isFresh: cached.isFresh && lastContent.isFresh)
  }

  private func set(_ new: RemoteContent<Provider.Content, Provider.Failure>) {
    content = new
    switch new {
    case .content(_, let isRefreshing): lastContent?.isFresh = !isRefreshing
    case .failed(_, _?): lastContent?.isFresh = false
    case .idle, .loading, .failed(_, nil): break
    }
    onChange(self)
  }

  private func beginFetch(showing state: RemoteContent<Provider.Content, Provider.Failure>) {
    fetches += 1
    let number = fetches
    fetch = (number, nil)
    content = state
    if case .content = state { lastContent?.isFresh = false }
    let future = provider.fetchContent()
    // The provider may have called back.
    if fetch?.number == number { fetch?.future = future }
    future.onComplete(immediateOnMainExecutionContext) { [weak self] result in
      MainActor.assumeIsolated { self?.receive(result, of: number) }
    }
    onChange(self)
  }

  private func receive(_ result: Result<Provider.Content, Provider.Failure>, of number: Int) {
    guard !cancelling.contains(number) else { return }
    guard number == fetch?.number else { return onLateAnswer() }
    fetch = nil
    switch result {
    case .success(let new):
      lastContent = CachedContent(new, isFresh: true)
      cache.store(new)
      set(.content(new, isRefreshing: false))
    case .failure(let failure): set(.failed(failure, content.content))
    }
  }
}
