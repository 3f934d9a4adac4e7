import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import ParallelTesting
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Log-ins and pending links of the demo apps")
@MainActor
struct AppsLogInAndLinkTests {
  private static let ayaka = Session(name: "ayaka", token: "secret-token")

  @Test("a redirect never sends a log-in to another server")
  func redirectDropsLogIn() async throws {
    try await withServer(Router { Route(.get, "/*rest") { _ in HTTPResponse.json(text: "[]") } }) { other, _, log in
      let elsewhere = other.url.absoluteString
      let router = Router {
        Route(.get, "/*rest") { request in
          HTTPResponse(HTTPStatus(302), headers: ["Location": "\(elsewhere)\(request.path)"])
        }
        Route(.post, "/*rest") { request in
          HTTPResponse(HTTPStatus(307), headers: ["Location": "\(elsewhere)\(request.path)"])
        }
      }
      try await withServer(router) { _, client, asked in
        let stories: Future<[Story], ClientError> = client.get("stories", as: Self.ayaka)
        let none = try await stories.get()
        #expect(none.isEmpty)
        #expect(asked.all.map { $0.headers["Authorization"] } == ["Bearer secret-token"])
        #expect(log.all.map(\.path) == ["/stories"] && log.all.allSatisfy { $0.headers["Authorization"] == nil })
        let session: Future<Session, ClientError> = client.post("sessions", Credentials(name: "a", password: "b"))
        let error = await #expect(throws: ClientError.self) { try await session.get() }
        #expect(error == .redirected && log.all.count == 1)
      }
    }
  }

  @Test("the client does not send a server's cookies back")
  func cookiesAreIgnored() async throws {
    let router = Router {
      Route(.get, "/words") { _ in HTTPResponse(.ok, headers: ["Set-Cookie": "who=me; Path=/"], body: Array("[]".utf8))
      }
    }
    try await withServer(router) { _, client, log in
      for _ in 0..<2 {
        let words: Future<[Word], ClientError> = client.get("words")
        let none = try await words.get()
        #expect(none.isEmpty)
      }
      #expect(log.all.count == 2 && log.all.allSatisfy { $0.headers["Cookie"] == nil })
    }
  }

  @Test("a response above 16 MiB is not read to its end and fails")
  func oversizedResponse() async throws {
    let text = "[\(String(repeating: " ", count: ContentClient.byteLimit))]"
    try await withServer(Router { Route(.get, "/words") { _ in HTTPResponse.json(text: text) } }) { _, client, _ in
      let words: Future<[Word], ClientError> = client.get("words")
      let error = await #expect(throws: ClientError.self) { try await words.get() }
      #expect(error == .tooLarge && error?.description.contains("larger than 16 MiB") == true)
    }
  }

  @Test("logging out also ends the log-in on the server")
  func logOutReachesServer() async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, log in
      let assembly = DemoAssembly(.dictionary, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: nil)
      _ = await app.run(try TerminalScript("'ayaka' tab 'tulp' enter"))
      let session = try #require(assembly.services.session)
      _ = await app.run(try TerminalScript("end enter"))
      #expect(assembly.services.session == nil && log.all.last?.method == .delete)
      let again = await #expect(throws: ClientError.self) { try await client.logOut(session).get() }
      #expect(again == .logInNeeded, "the server has ended the log-in")
      let story: Future<Story, ClientError> = client.get("stories", "12345", as: session)
      let refused = await #expect(throws: ClientError.self) { try await story.get() }
      #expect(refused == .logInNeeded)
    }
  }

  @Test("a saved log-in of another server is dropped and reported")
  func logInOfOtherServer() throws {
    let kept = try DemoState(home: .stories, session: Self.ayaka, of: "http://a:80", navigation: nil).data()
    let same = try #require(DemoState(reading: kept, for: .stories, at: "http://a:80"))
    #expect(same.session == Self.ayaka)
    for server in ["http://b:80", "https://a:443", nil] {
      let other = try #require(DemoState(reading: kept, for: .stories, at: server))
      #expect(other.session == nil && other.losses.contains("Dropped the log-in: it belongs to http://a:80."))
    }
    let own = try DemoState(home: .stories, session: Self.ayaka, navigation: nil).data()
    #expect(DemoState(reading: own, for: .stories)?.session == Self.ayaka)
    let other = try #require(DemoState(reading: own, for: .stories, at: "http://b:80"))
    #expect(other.session == nil && other.losses.contains { $0.contains("the embedded server") })
    #expect(try ServerAddress(argument: "HTTP://me:pw@A/").name == "http://a:80")
    #expect(try ServerAddress(argument: "https://a/x").name == "https://a:443/x")
  }

  @Test("a saved pending link is used only in its own app and only for its remaining time")
  func savedLinkLimits() throws {
    let now = Date(timeIntervalSince1970: 1_000_000)
    func state(_ route: DemoRoute, until: TimeInterval) throws -> DemoState {
      let kept = DemoState(home: .stories, session: nil, link: route, until: now + until, navigation: nil)
      return try #require(DemoState(reading: try kept.data(), for: .stories, now: now))
    }
    let held = try state(.story(12_345), until: 60)
    #expect(held.link == .story(12_345) && held.waited(at: now) == .seconds(540))
    let late = try state(.story(12_345), until: 0)
    #expect(
      late.link == nil
        && late.losses.contains { $0.contains("the pending link boundaries://stories/12345: it has expired") })
    let other = try state(.word("kaas"), until: 60)
    #expect(other.link == nil && other.losses.contains { $0.contains("belongs to the other app") })
    let far = try state(.story(12_345), until: 1e9)
    #expect(far.link == .story(12_345) && far.waited(at: now) == .zero, "the clock was set back")
  }

  @Test(
    "a pending link expires without any key press", arguments: [Duration.zero, .seconds(500)])
  func pendingLinkExpires(waited: Duration) async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let clock = ManualClock()
      let assembly = DemoAssembly(.stories, client: client, clock: clock) { clock.now.offset }
      let app = assembly.terminalApp()
      let (changes, changed) = AsyncStream<Void>.makeStream()
      assembly.start(in: app.navigator, at: .story(12_345), waited: waited)
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("Log in") && assembly.services.waitingLink?.route == .story(12_345))
      app.onChange = { navigation in if case .notice? = navigation.front.screen { changed.yield() } }
      let armed = try await clock.nextSleep()
      #expect(armed.offset == ApplicationCoordinator.patience - waited)
      clock.advance(by: ApplicationCoordinator.patience - waited)
      for await _ in changes { break }
      #expect(assembly.services.waitingLink == nil && app.screen.text.contains(": it waited more than"))
    }
  }

  @Test("closing the log-in drops the pending link")
  func closingLogInDropsPendingLink() async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let clock = ManualClock()
      let assembly = DemoAssembly(.stories, client: client, clock: clock) { clock.now.offset }
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: .story(12_345))
      await app.navigator.waitUntilIdle()
      #expect(app.navigator.navigation?.front.owner.name == "log in")
      var kept: DemoRoute? = .stories
      app.onChange = { _ in kept = assembly.services.waitingLink?.route }
      app.receive(.key(.escape))
      #expect(app.screen.text.hasPrefix(" Stories\n") && kept == nil)
      // A later log-in does not restore the link.
      _ = await app.run(try TerminalScript("end enter 'ayaka' tab 'tulp' enter"))
      #expect(assembly.services.session != nil && app.screen.text.hasPrefix(" Stories\n"))
    }
  }

  @Test(
    "a private message waits for a log-in like a private story", arguments: [DemoRoute.message(6), .story(12_345)])
  func messageWaitsForLogIn(route: DemoRoute) async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let assembly = DemoAssembly(.stories, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: route)
      await app.navigator.waitUntilIdle()
      #expect(app.navigator.navigation?.front.owner.name == "log in" && assembly.services.waitingLink?.route == route)
      _ = await app.run(try TerminalScript("'ayaka' tab 'tulp' enter"))
      #expect(app.navigator.navigation?.root.children.map(\.screen).count == 2 && !app.screen.text.contains("Log in"))
      #expect(app.screen.text.hasPrefix(route == .message(6) ? " ‹ Message\n" : " ‹ Surprise party\n"))
    }
  }

  @Test("opening the sign-up cancels a log-in in flight, so that no late result replaces the sign-up")
  func signUpCancelsLogIn() async throws {
    let (attempts, attempted) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    let router = Router {
      Route(.post, "/sessions") { _ async -> HTTPResponse in
        await withCheckedContinuation { attempted.yield($0) }
        return HTTPResponse.json(text: #"{"name":"ayaka","token":"t"}"#)
      }
    }
    try await withServer(router) { _, client, _ in
      let assembly = DemoAssembly(.dictionary, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: nil)
      let node = try #require(app.navigator.navigation?.front.id)
      app.navigator.send(.logIn(Credentials(name: "ayaka", password: "tulp")), from: node)
      for await attempt in attempts {
        app.navigator.send(.openSignUp, from: node)
        attempt.resume()
        break
      }
      await app.navigator.waitUntilIdle()
      #expect(app.navigator.navigation?.front.screen == .signUp(LogInForm()) && assembly.services.session == nil)
      app.receive(.key(.escape))
      #expect(app.navigator.navigation?.front.screen == .logIn(LogInForm(name: "ayaka")), "it is not busy")
    }
  }

  /// Blocks the main thread until a response arrives, so that nothing else runs on it.
  private func wait(for answer: Future<some Sendable, some Error>) {
    let isCompleted = DispatchSemaphore(value: 0)
    answer.onComplete(immediateExecutionContext) { _ in isCompleted.signal() }
    isCompleted.wait()
  }

  @Test(
    "a newer link replaces one whose request is pending, even if its response has arrived",
    arguments: [false, true])
  func newerLinkWins(isAnswered: Bool) async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let assembly = DemoAssembly(.stories, client: client)
      let app = assembly.terminalApp()
      let open = assembly.start(in: app.navigator, at: .story(12_345))
      // The first response has usually arrived by then, but the blocked main thread has not handled it.
      if isAnswered { wait(for: client.get("stories", "104") as Future<Story, ClientError>) }
      open(.user("gary"))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.hasPrefix(" ‹ Gary") && assembly.services.waitingLink == nil, "\(app.screen.text)")
    }
  }

  @Test("a browser without cookies gets a page that asks for cookies, and the redirects end")
  func browserWithoutCookies() async throws {
    try await withServer(ContentServer.router(try Library.bundled())) { _, client, _ in
      let router = DemoWeb(.stories, at: nil, client: client).router
      func ask(_ address: String, _ cookie: String? = nil) async throws -> HTTPResponse {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        var request = HTTPRequest(.get, parts[0])
        if parts.count > 1 { request.query = URLEncodedFields(parts[1]) }
        if let cookie { request.headers["Cookie"] = cookie }
        return try #require(await router.reply(to: request).response)
      }
      var answers = [try await ask("/")]
      while let location = answers.last?.headers["Location"], answers.count < 10 {
        answers.append(try await ask(location))
      }
      #expect(answers.last?.status == .badRequest && answers.count < 5)
      let page = String(decoding: answers.last?.body ?? [], as: UTF8.self)
      #expect(page.contains("This app needs cookies"))
      // A bookmark in a browser with cookies starts a session.
      let first = try await ask("/screens/7")
      let cookie = try #require(first.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
      let begun = try await ask(try #require(first.headers["Location"]), cookie)
      #expect(begun.status == .seeOther && begun.headers["Set-Cookie"] != nil)
    }
  }

  @Test("a state file is refused before the app starts if its name is too long to replace the file")
  func stateFileNameLimit() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "states-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let long = folder.appending(path: String(repeating: "é", count: 126)).path
    let error = #expect(throws: StateFile.NotOurs.self) { try StateFile(path: long) { _ in }.read(for: .stories) }
    #expect(error?.description.contains("its name has more than 250 bytes. Use --state with a shorter name.") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let name = String(repeating: "é", count: 125)
    let file = StateFile(path: folder.appending(path: name).path) { Issue.record("\($0)") }
    #expect(try file.read(for: .stories) == nil)
    file.write(DemoState(home: .stories, session: nil, navigation: nil))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test("a read-only state file is not changed, and a dangling symbolic link is written through")
  func stateFileIsWritable() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "states-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let state = DemoState(home: .stories, session: nil, navigation: nil)
    let closed = folder.appending(path: "closed")
    try state.data().write(to: closed)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: closed.path)
    let error = #expect(throws: StateFile.NotOurs.self) {
      try StateFile(path: closed.path) { _ in }.read(for: .stories)
    }
    #expect(
      error?.description.contains("its mode 400 does not allow writing. The file is unchanged. Make it writable")
        == true)
    for (name, target) in [("near", "target"), ("far", "\(folder.path)/other"), ("twice", "near2")] {
      let link = folder.appending(path: name).path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      if name == "twice" {
        try FileManager.default.createSymbolicLink(
          atPath: folder.appending(path: "near2").path, withDestinationPath: "end")
      }
      let file = StateFile(path: link) { Issue.record("\($0)") }
      #expect(try file.read(for: .stories) == nil)
      file.write(state)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    }
    for made in ["target", "other", "end"] {
      #expect(try Data(contentsOf: folder.appending(path: made)) == state.data())
    }
  }
}
