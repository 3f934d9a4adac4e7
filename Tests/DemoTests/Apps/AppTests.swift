import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import FuturesNetworking
import Loopback
import TestSupport
import Testing

@testable import Demo

/// Each app in this process, with a server that the test controls.
@Suite("Coordinators of the apps")
@MainActor
struct AppTests {
  /// Runs `body` with an app, its terminal shell and a log of the server's requests.
  private func with(
    _ home: Home, _ router: Router? = nil, session: Session? = nil, at link: DemoScreen? = nil,
    _ body: @MainActor (DemoApp, TerminalApp<DemoScreen>, Log<HTTPRequest>) async throws -> Void
  ) async throws {
    let log = Log<HTTPRequest>()
    let logged = try (router ?? ContentServer().router).mapReplies { request, reply in
      log.append(request)
      return reply
    }
    try await HTTPServer.start(logged).use { server in
      let client = ContentClient(server: server.url, within: .seconds(60))
      let app = DemoApp(home, client: client, session: session)
      let terminal = app.terminal()
      app.start(in: terminal.navigator, at: link)
      try await body(app, terminal, log)
    }
  }

  @Test("logging out ends the session on the server, and the screens need a log-in again")
  func logOut() async throws {
    try await with(.dictionary) { app, terminal, log in
      _ = await terminal.run(try TerminalScript("'ayaka' tab 'tulp' enter"))
      let session = try #require(app.services.session)
      _ = await terminal.run(try TerminalScript("end enter"))
      #expect(app.services.session == nil && log.all.last?.method == .delete)
      #expect(terminal.screen.text.hasPrefix(" Log in\n"))
      let story: Future<Story, NetworkError> = app.services.client.get("stories", "12345", as: session)
      let error = await #expect(throws: NetworkError.self) { try await story.get() }
      #expect(error?.statusCode == 401)
    }
  }

  @Test("a log-in keeps the user's position in the feed")
  func positionAfterLogIn() async throws {
    try await with(.stories, at: .user("gary")) { app, terminal, _ in
      await terminal.navigator.waitUntilIdle()
      let node = try #require(terminal.navigator.navigation?.front.id)
      terminal.navigator.send(.openLogIn, from: node)
      _ = await terminal.run(try TerminalScript("'ayaka' tab 'tulp' enter"))
      #expect(app.services.session?.name == "ayaka")
      #expect(terminal.navigator.navigation?.root.children.map(\.screen) == [.stories, .user("gary")])
    }
  }

  @Test("a rejected log-in shows the reason and keeps the name")
  func rejectedLogIn() async throws {
    try await with(.dictionary) { app, terminal, _ in
      _ = await terminal.run(try TerminalScript("'ayaka' tab 'wrong' enter"))
      #expect(terminal.screen.text.contains("Wrong name or password.") && terminal.screen.text.contains("ayaka"))
      _ = await terminal.run(try TerminalScript("' ' tab 'x' enter"))
      #expect(app.services.session == nil)
    }
  }

  @Test("a user whose session has expired can log in again from every tab", arguments: 0...2)
  func expiredSession(place: Int) async throws {
    let link = [DemoScreen.words, .phrases, .search("ij")][place]
    let router = Router { Route(.get, "/*rest") { _ in HTTPResponse(401) } }
    let session = Session(name: "ayaka", token: "old")
    try await with(.dictionary, router, session: session, at: link) { app, terminal, _ in
      await terminal.navigator.waitUntilIdle()
      #expect(terminal.screen.text.contains("[ Log in ]"))
      let node = try #require(terminal.navigator.navigation?.front.id)
      terminal.navigator.send(.openLogIn, from: node)
      #expect(app.services.session == nil)
      #expect(terminal.navigator.navigation?.front.screen == .logIn(LogInForm()))
    }
  }

  @Test("leaving a screen cancels its request, and the server sees the cancellation")
  func leavingCancelsRequest() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (departures, departed) = AsyncStream<Void>.makeStream()
    let router = Router {
      Route(.get, "/stories") { _ in .json(text: "[]") }
      Route(.get, "/users/:id") { _ async -> HTTPResponse in
        await withTaskCancellationHandler {
          arrived.yield()
          for await _ in AsyncStream<Never>.makeStream().stream {}
          return HTTPResponse(.ok)
        } onCancel: {
          departed.yield()
        }
      }
    }
    try await with(.stories, router, at: .user("slow")) { _, terminal, _ in
      for await _ in arrivals { break }
      #expect(terminal.screen.text.hasPrefix(" ‹ User …\n"))
      terminal.receive(.key(.escape))
      for await _ in departures { break }
      #expect(terminal.navigator.navigation?.front.screen == .stories)
    }
  }

  @Test(
    "a search text and a name reach the server exactly as typed", arguments: ["c++", "a&q=b", "50%", "é?#", "a/../x"])
  func encoding(text: String) async throws {
    try await with(.stories, Router { Route(.get, "/words") { _ in .json(text: "[]") } }) { app, _, log in
      let words: Future<[Word], NetworkError> = app.services.client.get("words", search: text)
      let found = try await words.get()
      #expect(found.isEmpty)
      // The first screen of the app loads at the same time.
      #expect(log.all.contains { $0.query.items.map(\.value) == [text] })
      let user: Future<User, NetworkError> = app.services.client.get("users", text)
      _ = try? await user.get()
      let folders = Set(log.all.compactMap { $0.path.split(separator: "/").first })
      #expect(folders.isSubset(of: ["stories", "words", "users"]))
    }
  }
}
