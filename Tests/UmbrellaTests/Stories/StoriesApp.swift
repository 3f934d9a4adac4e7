import Boundaries
import CoordinatorsWeb
import Foundation
import Loopback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum StoryScreen: NavigationScreen {
  case feed, story(Int)

  enum Action: Sendable { case open(Int) }
}

/// Links to stories by their numbers.
let storyLinks = Links<Int>(scheme: "umbrella") { Link("stories/:id", .int, to: { $0 }, from: { $0 }) }

struct Story: Codable, Sendable {
  var title: String
  var text: String
}

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

  func presentation(for content: Result<Story, StoryError>) -> Page<StoryScreen.Action> {
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
  /// - Parameter end: Cancels all fetches and prevents new ones when it completes.
  static func stories(at server: URL, until end: Future<Void, Never> = Future()) -> WebApp {
    let configuration = URLSessionConfiguration.ephemeral
    // With a cache, cancelled requests continue on Linux.
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    return WebApp(token: "the token of a test", start: StoriesCoordinator.init) { screen in
      switch screen {
      case .feed: Page("Stories", (1...3).map { .row(id: "\($0)", "Story \($0)", .open($0)) })
      case .story(let id):
        .remote(StoryProvider(id: id, server: server, session: session, end: end), title: "Story \(id)")
      }
    }
  }

  func open(_ link: String) throws {
    navigator.apply(.show(.stack([.screen(.feed), .screen(.story(try storyLinks.route(for: link)))])))
  }
}

extension WebApp {
  /// A router that passes every request to this app, for one session.
  nonisolated var router: Router {
    Router {
      for path in ["/", "/*rest"] {
        for method in [HTTPMethod.get, .post] {
          Route(method, path) { request in
            let answer = await self.respond(to: WebRequest(method.rawValue, request.target, body: request.body))
            var response = HTTPResponse(HTTPStatus(answer.status), body: Array(answer.body.utf8))
            for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) { response.headers.append(name, value) }
            return response
          }
        }
      }
    }
  }
}
