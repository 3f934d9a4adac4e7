public import Futures

/// Fetches content, and makes the page or the view controller for the result.
///
/// ```swift
/// struct StoryProvider: RemoteContentProviding {
///   let id: Int
///   let client: StoryClient
///
///   func fetchContent() -> Future<Story, ClientError> { client.story(id) }
///
///   func presentation(for content: Result<Story, ClientError>) -> Page<Screen.Action> {
///     switch content {
///     case .success(let story): Page(story.title, [.text(story.text)])
///     case .failure: Page("Story", [.text("Cannot show the story.", role: .alert)])
///     }
///   }
/// }
/// ```
///
/// The page takes a story, not an optional story: it works for a list that has the story, and for a link that has only its number.
///
/// Source: *Boundaries in Practice*.
public protocol RemoteContentProviding<Content, Failure, Presentation>: Sendable {
  associatedtype Content: Sendable
  associatedtype Failure: Error
  /// A page, or the view controller of a shell for UIKit.
  associatedtype Presentation

  /// Begins to fetch; the container cancels the future when the content is no longer needed.
  func fetchContent() -> Future<Content, Failure>

  func presentation(for content: Result<Content, Failure>) -> Presentation
}

/// The state of content that is fetched.
///
/// ```swift
/// switch container.content {
/// case .idle, .loading: showSpinner()
/// case .content(let story, let isRefreshing): show(story, isRefreshing)
/// case .failed(let error, let story): show(error, story)
/// }
/// ```
public enum RemoteContent<Content: Sendable, Failure: Error>: Sendable {
  /// No content, and no fetch in flight.
  case idle
  /// No content yet; the first fetch is in flight.
  case loading
  /// Content, perhaps while newer content is fetched.
  case content(Content, isRefreshing: Bool)
  /// The last fetch failed; with the content of an earlier fetch, if any.
  case failed(Failure, Content?)

  public var content: Content? {
    switch self {
    case .idle, .loading: nil
    case .content(let content, _): content
    case .failed(_, let content): content
    }
  }

  public var isFetching: Bool {
    switch self {
    case .loading, .content(_, isRefreshing: true): true
    case .idle, .content, .failed: false
    }
  }
}

extension RemoteContent: Equatable where Content: Equatable, Failure: Equatable {}

/// Fetches the content of a provider, and makes the presentation of it.
///
/// ```swift
/// let container = RemoteContentContainer(StoryProvider(id: 12345, client: client)) { container in
///   draw(container.content, container.presentation)
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
  private var isVisible = false
  /// Whether the content needs a fetch, because the last one has not succeeded.
  private var isStale = true
  private var fetch: (number: Int, future: Future<Provider.Content, Provider.Failure>)?
  private var fetches = 0
  private let onChange: (RemoteContentContainer) -> Void

  /// Creates a container that fetches nothing yet.
  public init(_ provider: Provider, onChange: @escaping (RemoteContentContainer) -> Void) {
    self.provider = provider
    self.onChange = onChange
  }

  deinit { fetch?.future.cancel() }

  /// The presentation of the content, or for the failure without content; `nil` before either.
  public var presentation: Provider.Presentation? {
    if let content = content.content { return provider.presentation(for: .success(content)) }
    if case .failed(let failure, _) = content { return provider.presentation(for: .failure(failure)) }
    return nil
  }

  /// Begins to fetch, unless the content is up to date; call it when the screen becomes visible.
  public func appear() {
    isVisible = true
    if isStale { refresh() }
  }

  /// Fetches again: after a failure, or to replace the content.
  ///
  /// Does nothing while the screen is not visible, or a fetch is in flight.
  public func refresh() {
    guard isVisible, fetch == nil else { return }
    fetches += 1
    let number = fetches
    content = content.content.map { .content($0, isRefreshing: true) } ?? .loading
    isStale = true
    let future = provider.fetchContent()
    fetch = (number, future)
    future.onComplete { [weak self] in
      self?.receive($0, of: number)
    } ended: { [weak self] in
      self?.end(number)
    }
    onChange(self)
  }

  /// Cancels the fetch, and keeps the fetched content; call it when the screen leaves.
  public func leave() {
    isVisible = false
    guard let cancelled = fetch else { return }
    end(cancelled.number)
    cancelled.future.cancel()
  }

  /// Ends a fetch without a result.
  private func end(_ number: Int) {
    guard number == fetch?.number else { return }
    fetch = nil
    content = content.content.map { .content($0, isRefreshing: false) } ?? .idle
    onChange(self)
  }

  private func receive(_ result: Result<Provider.Content, Provider.Failure>, of number: Int) {
    // A result of an earlier fetch is late.
    guard number == fetch?.number else { return }
    fetch = nil
    switch result {
    case .success(let new): (content, isStale) = (.content(new, isRefreshing: false), false)
    case .failure(let failure): content = .failed(failure, content.content)
    }
    onChange(self)
  }
}

extension Future {
  /// Calls a function with the result, and then `ended`, on the main actor.
  ///
  /// If the promise is released without a result, only `ended` is called.
  func onComplete(
    _ body: @escaping @MainActor @Sendable (Result<T, E>) -> Void, ended: @escaping @MainActor @Sendable () -> Void
  ) {
    // The future releases its callbacks in both cases.
    let end = OnRelease(ended)
    onComplete(immediateOnMainExecutionContext) { result in
      MainActor.assumeIsolated { body(result) }
      withExtendedLifetime(end) {}
    }
  }
}

private final class OnRelease: Sendable {
  private let body: @MainActor @Sendable () -> Void

  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

  deinit {
    immediateOnMainExecutionContext { [body] in MainActor.assumeIsolated { body() } }
  }
}
