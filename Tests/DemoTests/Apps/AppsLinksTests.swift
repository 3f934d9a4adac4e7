import Coordinators
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import Futures
import Loopback
import ParallelTesting
import Terminal
import Testing

@testable import Demo

/// Links from anywhere: typed, from a notification, from an address bar, and what may be in their way.
@Suite("The talk's apps, and links")
struct AppsLinksTests {
  private static let text = Generator<String>.oneOf([
    .element(of: ["kaas", "search", "a b", "é/ü?#%", "..", ".", "50%", "c++", "&q=x", "ij́s", "🚲", " ", "~"]),
    Generator<Int>.int(in: 0...0xD7FF).array(count: 1...6).map { scalars in
      String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    },
  ])
  private static let number = Generator<Int>.oneOf([.int(in: -20...20_000), .element(of: [.min, .max, 0])])

  /// Every case of a route.
  private static let route = Generator<DemoRoute>.oneOf([
    .always(.stories), number.map { .story($0) }, number.map { .message($0) }, text.map { .user($0) }, .always(.words),
    text.map { .word($0) }, text.map { .search($0) }, .always(.phrases), text.map { .phrase($0) },
  ])

  @Test("every route of the two apps has a link that leads to it, and to nothing else")
  func roundTrip() throws {
    #expect(DemoRoute.links.problems == [])
    var kinds: Set<String> = []
    try checkProperty("parse(print(route)) == route", count: 2_000, Self.route) { route in
      // The only word without a link: it is where the search is.
      if route == .word("search") { return (try? DemoRoute.links.link(to: route)) == nil }
      kinds.insert(String("\(route)".prefix { $0.isLetter }))
      return try DemoRoute.links.route(for: DemoRoute.links.link(to: route)) == route
    }
    #expect(kinds == ["stories", "story", "message", "user", "words", "word", "search", "phrases", "phrase"])
  }

  @Test("a notification leads where its link does, from a file or from what comes in")
  func notification() async throws {
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
    "a notification that leads nowhere ends with 64, and says what is wrong with it",
    arguments: [
      ("", "is not JSON"), ("{", "is not JSON"), ("[1]", "is not an object"), ("{}", "has no 'link'"),
      (#"{"link": 7}"#, "is not a text"), (#"{"link": "boundaries://storeis/1"}"#, "No route has this link"),
      (#"{"link": "\u001b[31m"}"#, "another scheme"), (String(repeating: "[", count: 70_000), "is too large"),
    ])
  func badNotification(payload: String, words: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "payload-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(payload.utf8).write(to: file)
    let outcome = try await DemoProcess.run("open", "--push", file.path, "--script", "")
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors.prefix(500))")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test("a link and a notification are one too many, none is one too few, and a file has to be there")
  func usage() async throws {
    for (line, words) in [
      (["open"], "Give a link"),
      (["open", "boundaries://stories", "--push", "x"], "cannot be used together"),
      (["open", "--push", ""], "A file has a name"),
      (
        ["open", "--push", "/nowhere/payload.json"],
        "in /nowhere/payload.json cannot be read: No such file or directory. Check the path"
      ), (["open", "--push", "/dev"], "in /dev cannot be read: Is a directory. Check the path"),
    ] {
      let outcome = try await DemoProcess.start(line + ["--script", ""]).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(line): \(outcome.errors)")
    }
  }

  /// An app in a terminal, on a server of its own.
  @MainActor
  private func withApp(
    _ home: Home, _ body: @MainActor (TerminalApp<DemoScreen>, Services, (DemoRoute) -> Void) async throws -> Void
  ) async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(home, client: client)
    let app = TerminalApp(contents: assembly.contents, work: assembly.services.work)
    let open = assembly.start(in: app.navigator, at: nil)
    await assembly.services.work.settled()
    do { try await body(app, assembly.services, open) } catch {
      client.close()
      await server.stop(grace: .zero)
      throw error
    }
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a link that would take a half-filled sign-up away is turned away with the reason, over what was filled in")
  @MainActor
  func unsavedChanges() async throws {
    try await withApp(.stories) { app, services, open in
      // The name is taken, so the server refuses, and the form stays with it.
      _ = await app.run(try TerminalScript("end enter tab tab tab enter 'ayaka' tab 'x' enter"))
      #expect(app.navigator.navigation?.front.owner.name == "sign up" && app.screen.text.contains("ayaka"))
      let before = app.navigator.navigation
      open(.story(104))
      await services.work.settled()
      #expect(app.screen.text.contains("boundaries://stories/104 was not followed. A sign-up is half"))
      app.receive(.key(.escape))
      #expect(app.navigator.navigation?.root == before?.root, "and nothing is lost")
      // One that waits for a log-in takes nothing away: it is followed once the sign-up is finished.
      open(.story(12_345))
      await services.work.settled()
      #expect(services.waitingLink?.route == .story(12_345) && app.navigator.navigation?.front.owner.name == "sign up")
      _ = await app.run(try TerminalScript("up up up end backspace '2' tab 'x' enter"))
      #expect(services.session?.name == "ayak2" && app.screen.text.hasPrefix(" ‹ Surprise party\n"))
    }
  }

  @Test("a sign-up that nothing was filled in, or that was left, keeps no link away")
  @MainActor
  func nothingUnsaved() async throws {
    try await withApp(.stories) { app, services, open in
      _ = await app.run(try TerminalScript("end enter tab tab tab enter"))
      #expect(app.navigator.navigation?.front.owner.name == "sign up")
      open(.story(104))
      await services.work.settled()
      #expect(app.screen.text.hasPrefix(" ‹ お土産\n"))
      _ = await app.run(try TerminalScript("back end enter tab tab tab enter 'ayaka' tab 'x' enter back"))
      #expect(app.navigator.navigation?.front.owner.name == "log in")
      open(.user("gary"))
      await services.work.settled()
      #expect(app.screen.text.contains("Draws boundaries."))
    }
  }

  @Test("an address of the web that is a link opens the app there: a new one, or the one that is running")
  @MainActor
  func addressBar() async throws {
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
      // What is no link of this app is none.
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
