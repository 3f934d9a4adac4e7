public import Futures

/// How to fetch something, and which screen to show for what came of it.
///
/// ```swift
/// struct StoryProvider: RemoteContentProviding {
///   let id: Int
///   let client: StoryClient
///
///   func fetchContent() -> Future<Story, ClientError> { client.story(id) }
///
///   func screen(for content: Result<Story, ClientError>) -> Screen {
///     switch content {
///     case .success(let story): .story(story)
///     case .failure: .message("Could not find the story.")
///     }
///   }
/// }
/// ```
///
/// The screen takes a story, not an optional one: the fetching is in a ``RemoteContentContainer``, outside of it. So the
/// same screen serves a list that has the story, and a link that has only its number.
///
/// Source: *Boundaries in Practice*, whose protocol had a completion handler and a view controller.
public protocol RemoteContentProviding<Content, Failure, Screen>: Sendable {
  /// What is fetched.
  associatedtype Content: Sendable
  /// Why fetching can fail.
  associatedtype Failure: Error
  /// What is shown.
  associatedtype Screen

  /// Begins to fetch.
  ///
  /// The future is cancelled when nobody wants the content any more.
  func fetchContent() -> Future<Content, Failure>

  /// The screen for what came of it.
  func screen(for content: Result<Content, Failure>) -> Screen
}

/// Where content is kept between two visits, as a witness.
///
/// ```swift
/// let cache = RemoteContentCache<Story>(
///   load: { stories[id].map { CachedContent($0.story, isFresh: $0.date > limit) } },
///   store: { stories[id] = ($0, now) })
/// ```
public struct RemoteContentCache<Content: Sendable> {
  /// The content that is kept, if any.
  public var load: () -> CachedContent<Content>?
  /// Keeps content that was fetched.
  public var store: (Content) -> Void
  /// Whether it never has anything, so that its having nothing says nothing of what came before.
  private(set) var keepsNothing = false

  /// Creates a cache from two functions, which are called where the container is.
  public init(load: @escaping () -> CachedContent<Content>?, store: @escaping (Content) -> Void) {
    self.load = load
    self.store = store
  }

  /// Keeps nothing.
  public static var none: RemoteContentCache {
    var none = RemoteContentCache(load: { nil }, store: { _ in })
    none.keepsNothing = true
    return none
  }
}

/// Content that was kept, and whether it is as good as new.
public struct CachedContent<Content: Sendable>: Sendable {
  /// The content.
  public var content: Content
  /// Whether it need not be fetched again; otherwise it is shown while it is.
  public var isFresh: Bool

  /// Creates kept content.
  public init(_ content: Content, isFresh: Bool) {
    self.content = content
    self.isFresh = isFresh
  }
}
