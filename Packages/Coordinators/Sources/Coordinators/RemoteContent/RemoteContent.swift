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
