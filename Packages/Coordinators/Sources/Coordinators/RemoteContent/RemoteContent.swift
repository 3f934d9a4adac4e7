/// What a screen knows of content from elsewhere, as a state machine.
///
/// ```swift
/// var content = RemoteContent<Story, ClientError>()
/// content.receive(.appeared(cached: nil))   // [.fetch(1)]
/// content.receive(.answered(1, .success(story)))  // [.store(story)]
/// content.phase                             // .content(story, isRefreshing: false)
/// ```
///
/// Each fetch has a number. An answer to any but the one that is under way is late: it changes nothing, and is told.
public struct RemoteContent<Content: Sendable, Failure: Error>: Sendable {
  /// What there is to show.
  public enum Phase: Sendable {
    /// Nothing, and nothing under way.
    case idle
    /// Nothing yet.
    case loading
    /// Something, perhaps while newer content is being fetched.
    case content(Content, isRefreshing: Bool)
    /// The last fetch failed; the content from before it, if there was any. A retry is possible.
    case failed(Failure, Content?)
  }

  /// What happens.
  public enum Event: Sendable {
    /// The screen came into sight, and this was kept for it.
    case appeared(cached: CachedContent<Content>?)
    /// A person wants to try again, or wants newer content; without effect while the screen is out of sight.
    case refresh
    /// A fetch ended.
    case answered(Int, Result<Content, Failure>)
    /// The screen went, or shows something else.
    case left
  }

  /// What there is to do about it.
  public enum Effect: Sendable {
    /// Begin a fetch of this number.
    case fetch(Int)
    /// End the fetch of this number, whose result nobody wants.
    case cancel(Int)
    /// Keep this.
    case store(Content)
    /// The answer of this number was late, and was dropped.
    case droppedLateAnswer(Int)
  }

  /// What there is to show.
  public private(set) var phase: Phase = .idle
  /// The number of the fetch that is under way.
  public private(set) var fetchInFlight: Int?
  private var fetches = 0

  /// Creates a machine with nothing to show.
  public init() {}

  /// Takes an event, and says what to do, in order.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .appeared(let cached):
      // Coming back to what is there, or on its way, changes nothing.
      guard case .idle = phase else { return [] }
      guard let cached else { return fetch(showing: .loading) }
      if cached.isFresh {
        phase = .content(cached.content, isRefreshing: false)
        return []
      }
      return fetch(showing: .content(cached.content, isRefreshing: true))
    case .refresh:
      // Out of sight nobody waits for it: coming back fetches what is not fresh.
      if case .idle = phase { return [] }
      guard fetchInFlight == nil else { return [] }
      if let content { return fetch(showing: .content(content, isRefreshing: true)) }
      return fetch(showing: .loading)
    case .answered(let number, let result):
      guard number == fetchInFlight else { return [.droppedLateAnswer(number)] }
      fetchInFlight = nil
      switch result {
      case .success(let content):
        phase = .content(content, isRefreshing: false)
        return [.store(content)]
      case .failure(let failure):
        phase = .failed(failure, content)
        return []
      }
    case .left:
      phase = .idle
      guard let number = fetchInFlight else { return [] }
      fetchInFlight = nil
      return [.cancel(number)]
    }
  }

  /// The content that is there, whatever else is.
  public var content: Content? {
    switch phase {
    case .idle, .loading: nil
    case .content(let content, _): content
    case .failed(_, let content): content
    }
  }

  private mutating func fetch(showing phase: Phase) -> [Effect] {
    self.phase = phase
    fetches += 1
    fetchInFlight = fetches
    return [.fetch(fetches)]
  }
}

extension RemoteContent.Phase: Equatable where Content: Equatable, Failure: Equatable {}
extension RemoteContent.Effect: Equatable where Content: Equatable {}
