import Boundaries
import CoordinatorsWeb
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The screens of an app that shows stories by their numbers.
enum StoryScreen: NavigationScreen {
  case feed, story(Int)

  enum Action: Sendable { case open(Int) }
}

/// The routes of links.
enum StoryRoute: Hashable, Sendable {
  case feed, story(Int)

  static let links = Links<StoryRoute>(scheme: "umbrella") {
    Link("stories", to: .feed)
    Link("stories/:id", .int) {
      StoryRoute.story($0)
    } from: {
      if case .story(let id) = $0 { id } else { nil }
    }
  }

  var target: Blueprint<StoryScreen> {
    switch self {
    case .feed: .stack([.screen(.feed)])
    case .story(let id): .stack([.screen(.feed), .screen(.story(id))])
    }
  }
}

/// A story of the content server.
struct Story: Codable, Sendable {
  var title: String
  var text: String
}

/// Fetches a story over HTTP.
struct StoryProvider: RemoteContentProviding {
  let id: Int
  let server: URL
  let session: URLSession
  /// Cancels the fetch when it completes.
  let end: Future<Void, Never>

  func fetchContent() -> Future<Story, StoryError> {
    if end.isCompleted { return Future(error: .cancellation) }
    let request = session.dataFuture(with: server.appending(path: "stories/\(id)"))
    end.onComplete(immediateExecutionContext) { _ in request.cancel() }
    return request.mapError(immediateExecutionContext) {
      $0.kind == .cancelled ? StoryError.cancellation : StoryError(description: "\($0)")
    }
    .flatMapResult(immediateExecutionContext) { data, response in
      guard response.statusCode == 200 else {
        return Result.failure(StoryError(description: "There is no story \(id)."))
      }
      return Result { try JSONDecoder().decode(Story.self, from: data) }
        .mapError { _ in StoryError(description: "Story \(id) cannot be read.") }
    }
  }

  func screen(for content: Result<Story, StoryError>) -> Page<StoryScreen.Action> {
    switch content {
    case .success(let story): Page(story.title, [.text(story.text)])
    case .failure(let error): Page("No story", [.text(error.description, role: .alert)])
    }
  }
}

struct StoryError: Error, CancellationRepresentable, CustomStringConvertible {
  let description: String

  static var cancellation: StoryError { StoryError(description: "Cancelled.") }
}

/// Shows the feed and the selected story; links bypass it.
@MainActor
final class StoriesCoordinator: Coordinator {
  let context: CoordinatorContext<StoryScreen, Never>

  init(_ context: CoordinatorContext<StoryScreen, Never>) { self.context = context }

  func start() { context.push(.screen(.feed)) }

  func receive(_ action: StoryScreen.Action, from node: Node<StoryScreen>) {
    if case .open(let id) = action { context.push(.screen(.story(id))) }
  }
}

extension WebApp<StoryScreen> {
  /// The app with its content on a server.
  ///
  /// - Parameters:
  ///   - server: The URL of the content server.
  ///   - end: Cancels all fetches and prevents new ones when it completes.
  static func stories(at server: URL, until end: Future<Void, Never> = Future()) -> WebApp {
    let configuration = URLSessionConfiguration.ephemeral
    // With a cache, cancelled requests continue on Linux.
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    return WebApp(token: "the token of a test", start: StoriesCoordinator.init) { screen in
      switch screen {
      case .feed: Page("Stories", (1...3).map { .row(.init(id: "\($0)", ListCell("Story \($0)"), .open($0))) })
      case .story(let id):
        .remote(StoryProvider(id: id, server: server, session: session, end: end), title: "Story \(id)")
      }
    }
  }

  /// Shows the target of a link.
  func open(_ link: String) throws {
    navigator.apply(.show(try StoryRoute.links.route(for: link).target))
  }
}
