import Coordinators
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import Futures
import Loopback
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Links of the demo apps")
struct AppsLinksTests {
  private static let text = Generator<String>.oneOf([
    .element(of: ["kaas", "search", "a b", "é/ü?#%", "..", ".", "50%", "c++", "&q=x", "ij́s", "🚲", " ", "~"]),
    Generator<Int>.int(in: 0...0xD7FF).array(count: 1...6).map { scalars in
      String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    },
  ])
  private static let number = Generator<Int>.oneOf([.int(in: -20...20_000), .element(of: [.min, .max, 0])])

  /// Routes of every case.
  private static let route = Generator<DemoRoute>.oneOf([
    .always(.stories), number.map { .story($0) }, number.map { .message($0) }, text.map { .user($0) }, .always(.words),
    text.map { .word($0) }, text.map { .search($0) }, .always(.phrases), text.map { .phrase($0) },
  ])

  @Test("every route of the demo apps has a link that parses back to the same route")
  func routesRoundTrip() throws {
    #expect(DemoRoute.links.problems == [])
    var kinds: Set<String> = []
    try checkProperty("parse(print(route)) == route", count: 2_000, Self.route) { route in
      // This is the only word without a link, because `words/search` is the search screen.
      if route == .word("search") { return (try? DemoRoute.links.link(to: route)) == nil }
      kinds.insert(String("\(route)".prefix { $0.isLetter }))
      return try DemoRoute.links.route(for: DemoRoute.links.link(to: route)) == route
    }
    #expect(kinds == ["stories", "story", "message", "user", "words", "word", "search", "phrases", "phrase"])
  }

  @Test("a notification from a file or from standard input opens its link")
  func notificationOpensLink() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "payload-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"aps": {"alert": "Gifts"}, "link": "boundaries://stories/104"}"#.utf8).write(to: file)
    let tapped = try await DemoProcess.run("open", "--push", file.path, "--script", "")
    #expect(tapped.status == 0 && tapped.output.hasPrefix(" ‹ お土産\n"))
    let piped = try await DemoProcess.bash(
      #"{ printf '{"link": '; printf '"boundaries://users/gary"}'; } | "$demo" open --push - --script '' "#)
    #expect(piped.status == 0 && piped.output.contains("Draws boundaries."))
  }

  @Test(
    "open exits with code 64 for an invalid notification and explains what is wrong",
    arguments: [
      ("", "is not a JSON object"), ("{", "is not a JSON object"), ("[1]", "is not a JSON object"),
      ("{}", "has no string 'link'"), (#"{"link": 7}"#, "has no string 'link'"),
      (#"{"link": "boundaries://storeis/1"}"#, "No route matches this link"),
      (#"{"link": "\u001b[31m"}"#, "expected it to begin with"),
      (
        String(repeating: "[", count: 70_000),
        "larger than 65536 bytes. Check that it is the payload of one notification."
      ),
    ])
  func invalidNotification(payload: String, words: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "payload-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(payload.utf8).write(to: file)
    let outcome = try await DemoProcess.run("open", "--push", file.path, "--script", "")
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors.prefix(500))")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test("demo open needs exactly one link or one readable notification file")
  func openUsageErrors() async throws {
    for (line, words) in [
      (["open"], "Give a link"),
      (["open", "boundaries://stories", "--push", "x"], "cannot be used together"),
      (["open", "--push", ""], "expected a file name"),
      (
        ["open", "--push", "/nowhere/payload.json"],
        "Cannot read the notification in /nowhere/payload.json: No such file or directory. Check the path"
      ), (["open", "--push", "/dev"], "in /dev: Is a directory. Check the path"),
    ] {
      let outcome = try await DemoProcess.start(line + ["--script", ""]).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(line): \(outcome.errors)")
    }
  }

  /// Runs `body` with a terminal app on a new server.
  @MainActor
  private func withApp(
    _ home: Home, _ body: @MainActor (TerminalApp<DemoScreen>, Services, (DemoRoute) -> Void) async throws -> Void
  ) async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(home, client: client)
    let app = assembly.terminalApp()
    let open = assembly.start(in: app.navigator, at: nil)
    await app.navigator.waitUntilIdle()
    do { try await body(app, assembly.services, open) } catch {
      client.close()
      await server.stop(grace: .zero)
      throw error
    }
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a link does not discard a half-filled sign-up, and a notice explains why it was not followed")
  @MainActor
  func linkDuringSignUp() async throws {
    try await withApp(.stories) { app, services, open in
      // The name is in use, so the server refuses it and the form stays open.
      _ = await app.run(try TerminalScript("end enter tab tab tab enter 'ayaka' tab 'x' enter"))
      #expect(app.navigator.navigation?.front.owner.name == "sign up" && app.screen.text.contains("ayaka"))
      let before = app.navigator.navigation
      open(.story(104))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("Cannot open boundaries://stories/104: the sign-up form has"))
      app.receive(.key(.escape))
      #expect(app.navigator.navigation?.root == before?.root, "and nothing is lost")
      // A pending link discards nothing, so it is followed after the sign-up.
      open(.story(12_345))
      await app.navigator.waitUntilIdle()
      #expect(services.waitingLink?.route == .story(12_345) && app.navigator.navigation?.front.owner.name == "sign up")
      _ = await app.run(try TerminalScript("up up up end backspace '2' tab 'x' enter"))
      #expect(services.session?.name == "ayak2" && app.screen.text.hasPrefix(" ‹ Surprise party\n"))
    }
  }

  @Test("a link does not discard a name that was typed into the sign-up and never submitted")
  @MainActor
  func linkDuringTyping() async throws {
    try await withApp(.stories) { app, services, open in
      _ = await app.run(try TerminalScript("end enter tab tab tab enter 'ayaka'"))
      #expect(app.navigator.navigation?.front.owner.name == "sign up")
      open(.story(104))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("Cannot open boundaries://stories/104: the sign-up form has"))
      app.receive(.key(.escape))
      #expect(app.screen.text.contains("ayaka"))
      // The saved state has the name.
      let data = try DemoState(home: .stories, session: nil, navigation: app.navigator.navigation).data()
      let restored = try #require(DemoState(reading: data, for: .stories)?.navigation)
      #expect(restored.front.screen == .signUp(LogInForm(name: "ayaka")))
    }
  }

  @Test("the notice of a second refused link replaces the first one")
  @MainActor
  func linksRefusedTwice() async throws {
    try await withApp(.stories) { app, _, open in
      _ = await app.run(try TerminalScript("end enter tab tab tab enter 'ayaka'"))
      for id in [104, 12_345] {
        open(.story(id))
        await app.navigator.waitUntilIdle()
      }
      open(.user("andy"))
      #expect(app.screen.text.contains("Cannot open boundaries://users/andy: the sign-up form has"))
      app.receive(.key(.escape))
      #expect(app.navigator.navigation?.front.owner.name == "sign up")
    }
  }

  @Test("a link does not discard a password that was typed into the sign-up, and the password is not stored")
  @MainActor
  func linkDuringTypingOfPassword() async throws {
    try await withApp(.stories) { app, services, open in
      _ = await app.run(try TerminalScript("end enter tab tab tab enter tab 'secret'"))
      open(.story(104))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("Cannot open boundaries://stories/104: the sign-up form has"))
      let data = try DemoState(home: .stories, session: nil, navigation: app.navigator.navigation).data()
      #expect(!"\(String(decoding: data, as: UTF8.self)) \(app.navigator.navigation as Any)".contains("secret"))
    }
  }

  @Test("a link in the address bar does not discard a name that was typed into the browser's sign-up")
  func linkDuringTypingInBrowser() async throws {
    try await WebShellProcess.use(["stories"]) { url in
      let browser = try await BrowserUserDriver(at: url)
      try await browser.choose("Log in")
      try await browser.choose("Sign up")
      try await browser.type([("Name", "ayaka")])
      try await browser.waitForInput()
      try await browser.open("/stories/104")
      try await browser.expectTitle("Link not opened")
      try await browser.choose("Close")
      try await browser.expectTitle("Sign up")
      #expect(try await browser.visibleContent().words.contains("ayaka"))
    }
  }

  @Test("a sign-up that is empty or was left does not block a link")
  @MainActor
  func linkWithoutUnsavedInput() async throws {
    try await withApp(.stories) { app, services, open in
      _ = await app.run(try TerminalScript("end enter tab tab tab enter"))
      #expect(app.navigator.navigation?.front.owner.name == "sign up")
      open(.story(104))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.hasPrefix(" ‹ お土産\n"))
      _ = await app.run(try TerminalScript("back end enter tab tab tab enter 'ayaka' tab 'x' enter back"))
      #expect(app.navigator.navigation?.front.owner.name == "log in")
      open(.user("gary"))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.contains("Draws boundaries."))
    }
  }

  @Test("a link in the browser's address bar opens its screen in a new or a running session")
  @MainActor
  func addressBarLinks() async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    for (home, path, query, title) in [
      (Home.stories, "/stories/104", "", "お土産"), (.stories, "/users/gary", "ref=push", "Gary"),
      (.dictionary, "/words/search", "q=c%2B%2B", "Log in"),
    ] {
      let router = DemoWeb(home, at: nil, client: client).router
      var cookie: String?
      func ask(_ path: String, _ query: String = "") async -> HTTPResponse? {
        var request = HTTPRequest(.get, path, query: URLEncodedFields(query))
        if let cookie { request.headers["Cookie"] = cookie }
        let response = await router.reply(to: request).response
        if let new = response?.headers["Set-Cookie"] { cookie = new.split(separator: ";").first.map(String.init) }
        return response
      }
      func follow(_ response: HTTPResponse?) async -> String {
        var response = response
        while let location = response?.headers["Location"] { response = await ask(location) }
        return response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      }
      #expect(await follow(ask(path, query)).contains("<h1 id=\"title\">\(title)</h1>"))
      let session = cookie
      let root = await follow(ask(home == .stories ? "/stories" : "/words"))
      #expect(root.contains(home == .stories ? "Concert tickets" : "Log in"))
      #expect(await follow(ask(path, query)).contains(title))
      #expect(cookie == session && session != nil, "it is the same app")
      // Other paths are not links of this app.
      cookie = nil
      for stranger in [home == .stories ? "/words" : "/stories", "/stories/x", "/favicon.ico"] {
        let answer = await ask(stranger)
        #expect(answer?.status == .seeOther && answer?.headers["Location"] == "/" && cookie == nil)
      }
    }
    client.close()
    await server.stop(grace: .zero)
  }
}
