import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Demo apps with untrusted links, forms and responses")
@MainActor
struct AppsUntrustedInputTests {
  private static let anything = Router { Route(.get, "/*rest") { _ in HTTPResponse.json(text: "[]") } }

  @Test("a name in a link cannot address another path of the server", arguments: ["../x", "..", ".", "", "a/../../x"])
  func pathTraversal(name: String) async throws {
    try await withServer(Self.anything) { _, client, log in
      let answer: Future<User, ClientError> = client.get("users", name)
      _ = try? await answer.get()
      #expect(log.all.allSatisfy { $0.path.hasPrefix("/users/") }, "\(log.all.map(\.path))")
      if ["..", ".", ""].contains(name) { #expect(answer.error == .notFound && log.all.isEmpty) }
    }
  }

  @Test("a search text reaches the server exactly as typed", arguments: ["c++", "a&q=b", "50%", "é?#", " "])
  func queryIsEncoded(text: String) async throws {
    try await withServer(Self.anything) { _, client, log in
      let answer: Future<[Word], ClientError> = client.get("words", query: ["q": text])
      let words = try await answer.get()
      #expect(words.isEmpty)
      #expect(log.all.map { $0.query.items.map(\.value) } == [[text]])
    }
  }

  @Test("a password in the server's URL is not shown in an error")
  func passwordIsNotShown() async throws {
    try await withServer(Self.anything) { _, _, log in
      let address = try #require(URL(string: "http://ayaka:tulp%20x@127.0.0.1:9"))
      let client = ContentClient(server: address, within: .seconds(60))
      let failed: Future<[Word], ClientError> = client.get("words")
      _ = try? await failed.get()
      let words = try #require(failed.error?.description)
      #expect(words.contains("127.0.0.1:9") && !words.contains("tulp") && !words.contains("ayaka"))
      client.close()
      #expect(log.all.isEmpty)
    }
  }

  @Test("a search that is loading or has failed keeps its field, and typed keys edit the field")
  func searchKeepsItsField() async throws {
    let (searches, asked) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    let router = Router {
      Route(.get, "/words") { request async -> HTTPResponse in
        if request.query["q"] == nil { return HTTPResponse.json(text: "[]") }
        // The first search is answered after the test has checked the loading screen.
        if request.query["q"] == "ij" { await withCheckedContinuation { asked.yield($0) } }
        return HTTPResponse(.internalServerError)
      }
      Route(.get, "/phrases") { _ in HTTPResponse.json(text: "[]") }
    }
    try await withServer(router) { _, client, log in
      let session = Session(name: "ayaka", token: "t")
      let assembly = DemoAssembly(.dictionary, client: client, session: session)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: .search("ij"))
      #expect(app.screen.text.contains("Find") && app.screen.text.contains("Loading"))
      app.receive(.key(KeyPress(.character("q"))))
      #expect(app.screen.text.contains("ijq"))
      for await search in searches {
        search.resume()
        break
      }
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("ijq") && app.screen.text.contains("status 500"))
      let ending = await app.run(try TerminalScript("'qr' enter"))
      #expect(ending == nil && log.all.last?.query["q"] == "ijqqr", "\(app.screen.text)")
    }
  }

  @Test("the error of a server without a list or a log-in points to --server, and of a missing item to the link")
  func otherServerIsReported() async throws {
    try await withServer(Router { Route(.get, "/none") { _ in HTTPResponse(.notFound) } }) { _, client, _ in
      let stories: Future<[Story], ClientError> = client.get("stories")
      let search: Future<[Word], ClientError> = client.get("words", query: ["q": "ij"])
      let session: Future<Session, ClientError> = client.post("sessions", Credentials(name: "a", password: "b"))
      let story: Future<Story, ClientError> = client.get("stories", "9")
      #expect(await reason(stories) == "The server has no path /stories. Check --server.")
      #expect(await reason(search) == "The server has no path /words. Check --server.")
      #expect(await reason(session) == "The server has no path /sessions. Check --server.")
      #expect(await reason(story) == "The server has no item with this ID. Check the link.")
    }
    for status in [405, 501] { #expect("\(ClientError.status(status))".hasSuffix("Check --server.")) }
  }

  private func reason(_ answer: Future<some Sendable, ClientError>) async -> String? {
    _ = try? await answer.get()
    return answer.error?.description
  }

  @Test("a user whose log-in expired can log in again from every screen that reports it", arguments: 0...2)
  func expiredLogIn(place: Int) async throws {
    let route = [DemoRoute.words, .phrases, .search("ij")][place]
    let router = Router { Route(.get, "/*rest") { _ in HTTPResponse(401) } }
    try await withServer(router) { _, client, _ in
      let assembly = DemoAssembly(.dictionary, client: client, session: Session(name: "ayaka", token: "t"))
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: route)
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("[ Log in ]"))
      let node = try #require(app.navigator.navigation?.front)
      guard case .send(let action)? = app.contents.page(of: node).button("log-in")?.trigger else {
        return #expect(Bool(false), "there is no button")
      }
      app.navigator.send(action, from: node.id)
      #expect(assembly.services.session == nil)
      #expect(app.navigator.navigation?.front.screen == .logIn(LogInForm()))
    }
  }

  @Test(
    "a 401 response with any authentication scheme is reported as a missing log-in",
    arguments: [
      "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate",
    ])
  func unsupportedAuthentication(kind: String) async throws {
    let router = Router { Route(.get, "/*rest") { _ in HTTPResponse(401, headers: ["WWW-Authenticate": kind]) } }
    try await withServer(router) { _, client, log in
      let answer: Future<[Word], ClientError> = client.get("words")
      _ = try? await answer.get()
      #expect(answer.error == .logInNeeded && log.all.count == 1)
    }
  }

  @Test("an account needs a visible name and a visible password", arguments: [(" ", "x"), ("x", "\t")])
  func blankCredentials(name: String, password: String) async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let made: Future<Session, ClientError> = client.post("accounts", Credentials(name: name, password: password))
      _ = try? await made.get()
      #expect(made.error == .status(400))
      let assembly = DemoAssembly(.dictionary, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: nil)
      let node = try #require(app.navigator.navigation?.front.id)
      app.navigator.send(.logIn(Credentials(name: name, password: password)), from: node)
      #expect(app.screen.text.contains("Enter a name and a password.") && !app.navigator.work.isPending)
    }
  }

  @Test("an error recommends another attempt only for a status that can change without other input")
  func retriableStatuses() {
    for status in [408, 429, 500, 503] { #expect("\(ClientError.status(status))".hasSuffix("Try again.")) }
    for status in [400, 403, 414, 422] {
      #expect(
        "\(ClientError.status(status))"
          == "The server rejected the request with status \(status). Check the link, the input and --server.")
    }
  }

  @Test("a search link without a query is reported as a missing query item, not as a word")
  func searchLinkWithoutText() {
    #expect { try DemoRoute.links.route(for: "boundaries://words/search") } throws: { error in
      (error as? LinkError)?.kind == .missingQueryItem("q")
    }
    #expect(throws: Never.self) { try DemoRoute.links.route(for: "boundaries://words/searching") }
  }

  @Test("a log-in keeps the user's position in the feed")
  func positionAfterLogIn() async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let assembly = DemoAssembly(.stories, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: .user("gary"))
      await app.navigator.waitUntilIdle()
      let before = app.navigator.navigation
      #expect(before?.root.children.map(\.screen) == [.stories, .userID("gary")])
      let node = try #require(before?.front.id)
      app.navigator.send(.openLogIn, from: node)
      let form = try #require(app.navigator.navigation?.front.id)
      app.navigator.send(.logIn(Credentials(name: "ayaka", password: "tulp")), from: form)
      await app.navigator.waitUntilIdle()
      #expect(assembly.services.session != nil)
      #expect(app.navigator.navigation?.root.children.map(\.screen) == [.stories, .userID("gary")])
    }
  }
}
