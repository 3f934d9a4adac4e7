public import Futures

/// Fetches content, and makes the screen for the result.
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
/// The screen takes a story, not an optional story, because a ``RemoteContentContainer`` does the fetching. The same screen
/// therefore works for a list that has the story, and for a link that has only its number.
///
/// Source: *Boundaries in Practice*. Its protocol has a completion handler and a view controller.
public protocol RemoteContentProviding<Content, Failure, Screen>: Sendable {
  /// The content.
  associatedtype Content: Sendable
  /// The error of a failed fetch.
  associatedtype Failure: Error
  /// The screen of the content.
  associatedtype Screen

  /// Begins to fetch.
  ///
  /// The container cancels the future when the content is no longer needed.
  func fetchContent() -> Future<Content, Failure>

  /// Returns the screen for the result of a fetch.
  func screen(for content: Result<Content, Failure>) -> Screen
}

/// A cache for content between two visits of a screen, as a pair of functions.
///
/// ```swift
/// let cache = RemoteContentCache<Story>(
///   load: { stories[id].map { CachedContent($0.story, isFresh: $0.date > limit) } },
///   store: { stories[id] = ($0, now) })
/// ```
public struct RemoteContentCache<Content: Sendable> {
  /// Returns the cached content, if any.
  public var load: () -> CachedContent<Content>?
  /// Stores content that was fetched.
  public var store: (Content) -> Void
  /// Whether the cache never has content, so that a miss does not mean that content was removed.
  private(set) var keepsNothing = false

  /// Creates a cache from two functions; the container calls them on the main actor.
  public init(load: @escaping () -> CachedContent<Content>?, store: @escaping (Content) -> Void) {
    self.load = load
    self.store = store
  }

  /// A cache that stores nothing.
  public static var none: RemoteContentCache {
    var none = RemoteContentCache(load: { nil }, store: { _ in })
    none.keepsNothing = true
    return none
  }
}

/// Content from a cache, and whether it is fresh.
public struct CachedContent<Content: Sendable>: Sendable {
  /// The content.
  public var content: Content
  /// Whether it is shown without a new fetch; otherwise it is shown during the fetch.
  public var isFresh: Bool

  /// Creates cached content.
  public init(_ content: Content, isFresh: Bool) {
    self.content = content
    self.isFresh = isFresh
  }
}
