internal import Futures

/// Fetches what a provider provides, and shows its screen: the shell around ``RemoteContent``.
///
/// ```swift
/// let container = RemoteContentContainer(StoryProvider(id: 12345, client: client)) { container in
///   draw(container.phase, container.screen)
/// }
/// container.appear()
/// // … and when the screen goes:
/// container.leave()  // ends the fetch
/// ```
///
/// A container that is let go of ends its fetch too. `onChange` is called on the main actor, after each change; an answer
/// that comes from another thread hops there first.
///
/// Source: *Boundaries in Practice*, `RemoteContentContainerViewController`.
@MainActor
public final class RemoteContentContainer<Provider: RemoteContentProviding> {
  /// What is provided.
  public private(set) var provider: Provider
  private var machine = RemoteContent<Provider.Content, Provider.Failure>()
  private var cache: RemoteContentCache<Provider.Content>
  /// The last content that was fetched, so that coming back to it fetches nothing, and whether nothing newer was being fetched.
  private var lastContent: Provider.Content?
  private var isLastContentFresh = false
  private var fetch: Future<Provider.Content, Provider.Failure>?
  /// The fetches that this is cancelling right now: what completes one of them is no answer.
  private var ending: Set<Int> = []
  private let onChange: (RemoteContentContainer) -> Void
  private let onLateAnswer: () -> Void

  /// Creates a container that fetches nothing yet.
  ///
  /// - Parameters:
  ///   - provider: What to fetch, and how to show it.
  ///   - cache: What to show before, or instead of, fetching.
  ///   - onLateAnswer: Hears that an answer was dropped, since it came for what is not shown any more. That a fetch ends as
  ///     cancelled, because the container cancelled it, is no answer.
  ///   - onChange: Hears that the phase has changed.
  public init(
    _ provider: Provider, cache: RemoteContentCache<Provider.Content> = .none,
    onLateAnswer: @escaping () -> Void = {}, onChange: @escaping (RemoteContentContainer) -> Void
  ) {
    self.provider = provider
    self.cache = cache
    self.onLateAnswer = onLateAnswer
    self.onChange = onChange
  }

  deinit {
    fetch?.cancel()
  }

  /// What there is to show, loading and refreshing included.
  public var phase: RemoteContent<Provider.Content, Provider.Failure>.Phase { machine.phase }

  /// The provider's screen for the content, or for the failure when there is none; `nil` before either.
  public var screen: Provider.Screen? {
    if let content = machine.content { return provider.screen(for: .success(content)) }
    if case .failed(let failure, _) = machine.phase { return provider.screen(for: .failure(failure)) }
    return nil
  }

  /// The screen came into sight: begins to fetch, unless there is fresh content, from the cache or from before.
  public func appear() { receive(.appeared(cached: knownContent)) }

  /// Tries again after a failure, or fetches newer content while the old is shown; nothing while out of sight.
  public func refresh() { receive(.refresh) }

  /// The screen went: ends the fetch, and keeps the content that was fetched.
  public func leave() { receive(.left) }

  /// Shows something else in the same place: what was under way for the old one is ended, and a late answer dropped.
  public func show(_ provider: Provider, cache: RemoteContentCache<Provider.Content> = .none) {
    receive(.left)
    self.provider = provider
    self.cache = cache
    lastContent = nil
    appear()
  }

  /// The content of the cache, which may be newer and knows when content grows old, or else the last content.
  private var knownContent: CachedContent<Provider.Content>? {
    guard let lastContent else { return cache.load() }
    guard let cached = cache.load() else {
      return CachedContent(lastContent, isFresh: isLastContentFresh && cache.keepsNothing)
    }
    return CachedContent(cached.content, isFresh: cached.isFresh && isLastContentFresh)
  }

  private func receive(_ event: RemoteContent<Provider.Content, Provider.Failure>.Event) {
    var isLate = false
    for effect in machine.receive(event) {
      switch effect {
      case .fetch(let number): begin(number)
      case .cancel(let number):
        let ended = fetch
        fetch = nil
        ending.insert(number)
        ended?.cancel()
        ending.remove(number)
      case .store(let content):
        fetch = nil
        lastContent = content
        cache.store(content)
      case .droppedLateAnswer:
        isLate = true
        onLateAnswer()
      }
    }
    switch machine.phase {
    case .content(_, let isRefreshing): isLastContentFresh = !isRefreshing
    case .failed(_, _?): isLastContentFresh = false
    case .idle, .loading, .failed(_, nil): break
    }
    if !isLate { onChange(self) }
  }

  private func begin(_ number: Int) {
    let future = provider.fetchContent()
    fetch = future
    // The number tells which provider it was for, too: the machine counts on when another one is shown.
    future.onComplete(immediateOnMainExecutionContext) { [weak self] result in
      MainActor.assumeIsolated {
        guard let self, !self.ending.contains(number) else { return }
        self.receive(.answered(number, result))
      }
    }
  }
}
