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
  public private(set) var content = RemoteContent<Provider.Content, Provider.Failure>.idle
  private let provider: Provider
  private var lastContent: Provider.Content?
  /// Whether the last content needs a new fetch, because a refresh of it has not succeeded.
  private var isStale = false
  private var fetch: (number: Int, future: Future<Provider.Content, Provider.Failure>?)?
  private var fetches = 0
  private let onChange: (RemoteContentContainer) -> Void

  /// Creates a container that fetches nothing yet.
  public init(_ provider: Provider, onChange: @escaping (RemoteContentContainer) -> Void) {
    self.provider = provider
    self.onChange = onChange
  }

  deinit { fetch?.future?.cancel() }

  /// The provider's screen for the content, or for the failure without content; `nil` before either.
  public var screen: Provider.Screen? {
    if let content = content.content { return provider.screen(for: .success(content)) }
    if case .failed(let failure, _) = content { return provider.screen(for: .failure(failure)) }
    return nil
  }

  /// Begins to fetch, unless the content was fetched on an earlier visit; call it when the screen becomes visible.
  public func appear() {
    guard case .idle = content else { return onChange(self) }
    guard let lastContent else { return beginFetch(showing: .loading) }
    if isStale { return beginFetch(showing: .content(lastContent, isRefreshing: true)) }
    set(.content(lastContent, isRefreshing: false))
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
    cancelled?.future?.cancel()
    onChange(self)
  }

  private func set(_ new: RemoteContent<Provider.Content, Provider.Failure>) {
    content = new
    onChange(self)
  }

  private func beginFetch(showing state: RemoteContent<Provider.Content, Provider.Failure>) {
    fetches += 1
    let number = fetches
    fetch = (number, nil)
    content = state
    isStale = true
    let future = provider.fetchContent()
    // The provider may have called back.
    if fetch?.number == number { fetch?.future = future }
    future.onComplete(immediateOnMainExecutionContext) { [weak self] result in
      MainActor.assumeIsolated { self?.receive(result, of: number) }
    }
    onChange(self)
  }

  private func receive(_ result: Result<Provider.Content, Provider.Failure>, of number: Int) {
    // A result of an earlier fetch is late.
    guard number == fetch?.number else { return }
    fetch = nil
    switch result {
    case .success(let new):
      (lastContent, isStale) = (new, false)
      set(.content(new, isRefreshing: false))
    case .failure(let failure): set(.failed(failure, content.content))
    }
  }
}
