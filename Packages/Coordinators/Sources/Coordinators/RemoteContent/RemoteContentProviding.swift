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
///     case .failure: .message("Cannot show the story.")
///     }
///   }
/// }
/// ```
///
/// The screen takes a story, not an optional story, because a ``RemoteContentContainer`` does the fetching. The same
/// screen therefore works for a list that has the story, and for a link that has only its number.
///
/// Source: *Boundaries in Practice*.
public protocol RemoteContentProviding<Content, Failure, Screen>: Sendable {
  associatedtype Content: Sendable
  associatedtype Failure: Error
  associatedtype Screen

  /// Begins to fetch.
  ///
  /// The container cancels the future when the content is no longer needed.
  func fetchContent() -> Future<Content, Failure>

  func screen(for content: Result<Content, Failure>) -> Screen
}
