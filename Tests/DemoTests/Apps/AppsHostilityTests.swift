import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import ParallelTesting
import Terminal
import Testing

@testable import Demo

/// What others send: links, forms, answers.
///
/// None of it leads elsewhere than it says, ends what others do, or is lost.
@Suite("The talk's apps, among strangers")
@MainActor
struct AppsHostilityTests {
  private static let anything = Router { Route(.get, "/*rest") { _ in HTTPResponse.json(text: "[]") } }

  @Test("a link names one thing, and no other address of the server", arguments: ["../x", "..", ".", "", "a/../../x"])
  func traversal(name: String) async throws {
    try await withServer(Self.anything) { _, client, log in
      let answer: Future<User, ClientError> = client.get("users", name)
      _ = try? await answer.get()
      #expect(log.all.allSatisfy { $0.path.hasPrefix("/users/") }, "\(log.all.map(\.path))")
      if ["..", ".", ""].contains(name) { #expect(answer.error == .notFound && log.all.isEmpty) }
    }
  }

  @Test("what is looked for is asked for as it was typed", arguments: ["c++", "a&q=b", "50%", "é?#", " "])
  func query(text: String) async throws {
    try await withServer(Self.anything) { _, client, log in
      let answer: Future<[Word], ClientError> = client.get("words", query: ["q": text])
      let words = try await answer.get()
      #expect(words.isEmpty)
      #expect(log.all.map { $0.query.items.map(\.value) } == [[text]])
    }
  }

  @Test("a server's password is sent to it, and told to nobody")
  func password() async throws {
    try await withServer(Self.anything) { _, _, log in
      let address = try #require(URL(string: "http://ayaka:tulp%20x@127.0.0.1:9"))
      let client = ContentClient(server: address, within: .seconds(60))
      let nobody: Future<[Word], ClientError> = client.get("words")
      _ = try? await nobody.get()
      let words = try #require(nobody.error?.description)
      #expect(words.contains("127.0.0.1:9") && !words.contains("tulp") && !words.contains("ayaka"))
      client.close()
      #expect(log.all.isEmpty)
    }
  }

  @Test("a search that is under way, or failed, keeps its field, so that what is typed is looked for and ends nothing")
  func search() async throws {
    let (searches, asked) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    let router = Router {
      Route(.get, "/words") { request async -> HTTPResponse in
        if request.query["q"] == nil { return HTTPResponse.json(text: "[]") }
        // The first one is answered when the test has seen what is there meanwhile.
        if request.query["q"] == "ij" { await withCheckedContinuation { asked.yield($0) } }
        return HTTPResponse(.internalServerError)
      }
      Route(.get, "/phrases") { _ in HTTPResponse.json(text: "[]") }
    }
    try await withServer(router) { _, client, log in
      let session = Session(name: "ayaka", token: "t")
      let assembly = DemoAssembly(.dictionary, client: client, session: session)
      let app = TerminalApp(contents: assembly.contents, work: assembly.services.work)
      assembly.start(in: app.navigator, at: .search("ij"))
      #expect(app.screen.text.contains("Find") && app.screen.text.contains("Loading"))
      app.receive(.key(KeyPress(.character("q"))))
      #expect(app.screen.text.contains("ijq"))
      for await search in searches {
        search.resume()
        break
      }
      await assembly.services.work.settled()
      #expect(app.screen.text.contains("ijq") && app.screen.text.contains("status 500"))
      let ending = await app.run(try TerminalScript("'qr' enter"))
      #expect(ending == nil && log.all.last?.query["q"] == "ijqqr", "\(app.screen.text)")
    }
  }

  @Test("who is not logged in any more logs in again from wherever the server says so", arguments: 0...2)
  func logInAgain(place: Int) async throws {
    let route = [DemoRoute.words, .phrases, .search("ij")][place]
    let router = Router { Route(.get, "/*rest") { _ in HTTPResponse(401) } }
    try await withServer(router) { _, client, _ in
      let assembly = DemoAssembly(.dictionary, client: client, session: Session(name: "ayaka", token: "t"))
      let app = TerminalApp(contents: assembly.contents, work: assembly.services.work)
      assembly.start(in: app.navigator, at: route)
      await assembly.services.work.settled()
      #expect(app.screen.text.contains("[ Log in ]"))
      let node = try #require(app.navigator.navigation?.front)
      guard case .send(let action)? = assembly.contents.page(of: node).button("log-in")?.trigger else {
        return #expect(Bool(false), "there is no button")
      }
      app.navigator.send(action, from: node.id)
      #expect(assembly.services.session == nil)
      #expect(app.navigator.navigation?.front.screen == .logIn(LogInForm()))
    }
  }

  @Test(
    "a server that wants a name and a password of another kind is told as one that wants a log-in",
    arguments: [
      "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate",
    ])
  func challenge(kind: String) async throws {
    let router = Router { Route(.get, "/*rest") { _ in HTTPResponse(401, headers: ["WWW-Authenticate": kind]) } }
    try await withServer(router) { _, client, log in
      let answer: Future<[Word], ClientError> = client.get("words")
      _ = try? await answer.get()
      #expect(answer.error == .logInNeeded && log.all.count == 1)
    }
  }

  @Test("nobody gets an account without a name and a password that can be read", arguments: [(" ", "x"), ("x", "\t")])
  func blank(name: String, password: String) async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let made: Future<Session, ClientError> = client.post("accounts", Credentials(name: name, password: password))
      _ = try? await made.get()
      #expect(made.error == .status(400))
      let assembly = DemoAssembly(.dictionary, client: client)
      let app = TerminalApp(contents: assembly.contents, work: assembly.services.work)
      assembly.start(in: app.navigator, at: nil)
      let node = try #require(app.navigator.navigation?.front.id)
      app.navigator.send(.logIn(Credentials(name: name, password: password)), from: node)
      #expect(app.screen.text.contains("Enter a name and a password.") && !assembly.services.work.isPending)
    }
  }

  @Test("a search without what is looked for is no word, and lacks just that")
  func searchWithoutText() {
    #expect { try DemoRoute.links.route(for: "boundaries://words/search") } throws: { error in
      (error as? LinkError)?.kind == .missingQueryItem("q")
    }
    #expect(throws: Never.self) { try DemoRoute.links.route(for: "boundaries://words/searching") }
  }

  @Test("where somebody was in the feed is still there after a log-in")
  func positionAfterLogIn() async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let assembly = DemoAssembly(.stories, client: client)
      let app = TerminalApp(contents: assembly.contents, work: assembly.services.work)
      assembly.start(in: app.navigator, at: .user("gary"))
      await assembly.services.work.settled()
      let before = app.navigator.navigation
      #expect(before?.root.children.map(\.screen) == [.stories, .userID("gary")])
      let node = try #require(before?.front.id)
      app.navigator.send(.openLogIn, from: node)
      let form = try #require(app.navigator.navigation?.front.id)
      app.navigator.send(.logIn(Credentials(name: "ayaka", password: "tulp")), from: form)
      await assembly.services.work.settled()
      #expect(assembly.services.session != nil)
      #expect(app.navigator.navigation?.root.children.map(\.screen) == [.stories, .userID("gary")])
    }
  }
}
