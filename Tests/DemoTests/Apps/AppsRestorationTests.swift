import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import TerminalTesting
import TestSupport
import Terminal
import Testing

@testable import Demo

/// After a restoration every visible screen works, and every lost screen is reported.
@Suite("State restoration of the demo apps", .timeLimit(.minutes(5)))
struct AppsRestorationTests {
  private static let logIn = "'ayaka' tab 'tulp' enter"

  /// A state file with the runs that use it.
  private struct SavedState {
    let file = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())")

    func run(_ arguments: String..., script: String) async throws -> DemoProcess.Outcome {
      try await DemoProcess.start(arguments + ["--state", file.path, "--script", script]).outcome()
    }

    func edit(_ change: (String) -> String) throws {
      let text = try String(contentsOf: file, encoding: .utf8)
      let changed = change(text)
      #expect(changed != text)
      try changed.write(to: file, atomically: true, encoding: .utf8)
    }

    /// Changes the owner of the story screens to another coordinator.
    func giveStories(to owner: String) throws {
      try edit { text in
        text.replacing(#/"owner":"application/stories","parent":\d+,"screen":\{"story"/#) {
          $0.output.replacing("application/stories", with: owner)
        }
      }
    }

    func remove() { try? FileManager.default.removeItem(at: file) }
  }

  @Test(
    "a pending link is restored in the next run and followed once after the log-in",
    arguments: [
      ("boundaries://stories/12345", "stories", " ‹ Surprise party\n", " Stories\n"),
      ("boundaries://words/kaas", "dictionary", " ‹ kaas\n", " Words\n"),
    ])
  func pendingLinkIsRestored(link: String, app: String, target: String, below: String) async throws {
    let kept = SavedState()
    defer { kept.remove() }
    let first = try await kept.run("open", link, script: "")
    #expect(first.status == 0 && first.output.contains("Log in") && !first.output.hasPrefix(target))
    let second = try await kept.run(app, script: "")
    #expect(second.output.contains("Log in") && second.errors == "")
    #expect(try await kept.run(app, script: Self.logIn).output.hasPrefix(target))
    #expect(try await kept.run(app, script: "escape").output.hasPrefix(below))
    #expect(try await kept.run(app, script: "").output.hasPrefix(below), "not followed again")
  }

  @Test("a pending link with an unknown route is dropped and reported")
  func unknownPendingLink() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("open", "boundaries://stories/12345", script: "")
    try kept.edit { $0.replacing("boundaries:\\/\\/stories\\/12345", with: "boundaries:\\/\\/quizzes\\/7") }
    let next = try await kept.run("stories", script: "")
    #expect(next.status == 0 && next.errors.contains("Dropped the pending link. No route matches this link"))
  }

  @Test("a pending link that expired is not followed, and the screen explains why")
  @MainActor
  func expiredPendingLink() async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    for (home, route, title) in [
      (Home.dictionary, DemoRoute.word("kaas"), "Words"), (.stories, .story(12_345), "Stories"),
    ] {
      var now = Duration.zero
      let assembly = DemoAssembly(home, client: client) { now }
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: route)
      await app.navigator.waitUntilIdle()
      #expect(assembly.services.waitingLink?.route == route)
      now = ApplicationCoordinator.patience
      _ = await app.run(try TerminalScript(Self.logIn))
      let link = try DemoRoute.links.link(to: route)
      #expect(app.screen.text.contains("Cannot open \(link): it waited"), "\(app.screen.text)")
      #expect(assembly.services.waitingLink == nil)
      app.receive(.key(.escape))
      await app.navigator.waitUntilIdle()
      #expect(app.screen.text.hasPrefix(" \(title)\n"))
    }
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("screens of an unknown coordinator are dropped and reported, and the remaining screens work")
  func unknownCoordinator() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "down enter")
    try kept.giveStories(to: "application/stories/quiz/question")
    let next = try await kept.run("stories", script: "enter")
    #expect(next.status == 0 && next.errors.contains("Dropped the screens of 'application/stories/quiz', which"))
    #expect(next.output.hasPrefix(" ‹ Lunch\n"), "the list is restored and opens a story")
  }

  @Test(
    "a state without any usable screen is dropped and reported, and the app starts from its first screen",
    arguments: [
      ("\"application/stories\"", "\"application/feed\"", "The app starts from the beginning"),
      ("\"application/stories\"", "\"app/stories\"", "Dropped all saved screens"),
      ("\"owner\":\"application", "\"owner\":\"app", "Dropped all saved screens"),
    ])
  func unknownRoot(owner: String, other: String, words: String) async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "down enter")
    try kept.edit { $0.replacing(owner, with: other) }
    let next = try await kept.run("stories", script: "down enter")
    #expect(next.status == 0 && next.errors.contains(words), "\(next.errors)")
    #expect(next.output.hasPrefix(" ‹ Concert tickets\n"))
  }

  @Test("screens that their coordinator does not know are dropped and reported with all screens above them")
  func unknownScreens() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "down enter down enter")
    // The log-in coordinator does not know story screens, so a restored one would not react.
    try kept.giveStories(to: "application/stories/log in")
    let next = try await kept.run("stories", script: "enter")
    #expect(next.status == 0, "\(next)")
    #expect(next.errors.contains("its screen does not belong to 'application/stories/log in'."))
    #expect(next.errors.contains("an element below it in the stack was dropped."))
    #expect(next.output.hasPrefix(" ‹ Lunch\n"), "the list is restored and opens a story")
    #expect(try await kept.run("stories", script: "").errors == "", "the next state does not contain them")
  }

  @Test("a state that names the wrong app is not restored")
  func stateOfOtherApp() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "down enter")
    try kept.edit { $0.replacing(#/"home":"stories"/#, with: "\"home\":\"dictionary\"") }
    let next = try await kept.run("dictionary", script: "")
    #expect(next.status == 0 && next.output.hasPrefix(" Log in\n"), "\(next)")
    #expect(
      next.errors.contains("Dropped the screens of 'application/stories'")
        && next.errors.contains("starts from the beginning"))
  }

  @Test("a state file belongs to one run at a time, and is free when that run ends")
  func concurrentRuns() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    let first = try TerminalProcess.demo(["stories", "--state", kept.file.path])
    try await first.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    for _ in 0..<2 {
      let second = try await kept.run("stories", script: "down enter")
      #expect(second.status == 16 && second.output == "", "\(second)")
      #expect(
        second.errors.contains(
          "Cannot use \(kept.file.path) as the state file: another run uses it. End the other run, or"))
      // The app replaces the file with each state; the new file is locked, too.
      first.type("\u{1B}[B\r")
      try await first.expect("a story") { $0.lines.first?.hasPrefix(" ‹") == true }
      first.type("\u{1B}")
      try await first.expect("the stories") { $0.lines.first?.hasPrefix(" Stories") == true }
    }
    first.type("\r")
    try await first.expect("a story") { $0.lines.first?.hasPrefix(" ‹") == true }
    first.type("q")
    #expect(await first.ending() == 0)
    let third = try await kept.run("stories", script: "")
    #expect(third.status == 0 && third.errors == "" && third.output.hasPrefix(" ‹ "), "\(third)")
  }

  @Test("a state file that is replaced all the time ends the run with an error, not a loop")
  @MainActor
  func unstableFile() {
    let url = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    var attempts = 0
    let replace = {
      attempts += 1
      try? Data().write(to: url, options: .atomic)
    }
    let file = StateFile(path: url.path, didLock: { replace() }) { Issue.record("\($0)") }
    #expect(throws: StateFile.Unstable.self) { try file.read(for: .stories) }
    #expect(attempts == StateFile.mostAttempts)
  }

  @Test("two files with one inode number on two devices are not the same file")
  func sameInodeOnTwoDevices() {
    var (left, right) = (stat(), stat())
    (left.st_ino, right.st_ino) = (7, 7)
    #expect(StateFile.isSameFile(left, right))
    right.st_dev = 1
    #expect(!StateFile.isSameFile(left, right))
  }

  @Test("a killed run leaves a usable state file")
  func killedRun() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    let first = try TerminalProcess.demo(["stories", "--state", kept.file.path])
    try await first.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    first.type("\u{1B}[B\r")
    try await first.expect("a story") { $0.lines.first?.hasPrefix(" ‹") == true }
    first.signal(SIGKILL)
    #expect(await first.ending() == -SIGKILL)
    let next = try await kept.run("stories", script: "")
    #expect(next.status == 0 && next.errors == "" && next.output.hasPrefix(" ‹ "), "\(next)")
  }

  @Test("a damaged tab is restored empty, and the other tab is restored completely", arguments: 0...1)
  func damagedTab(tab: Int) async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("dictionary", script: "\(Self.logIn) down enter tab down enter")
    try kept.edit { text in
      let key = ["words", "phrases"][tab]
      return text.split(separator: "\n").map { $0.contains("\"tab\":\"\(key)\"") ? "?" : String($0) }.joined(
        separator: "\n")
    }
    let next = try await kept.run("dictionary", script: "")
    #expect(next.status == 0 && next.errors.contains("Dropped entry") && next.output.contains(" 1 Words  2 Phrases"))
    // Both tabs work, in this run and in the next one.
    let words = try await kept.run("dictionary", script: "1 1 down enter")
    #expect(words.output.hasPrefix(" ‹ brood\n") && words.errors == "", "\(words)")
    let phrases = try await kept.run("dictionary", script: "2 2 enter")
    #expect(phrases.output.contains("English"), "\(phrases)")
  }

  @Test("a state of a newer version is not changed, and the run ends with an error")
  func stateOfNewerVersion() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "down enter")
    try kept.edit { $0.replacing("\nnavigation 1 ", with: "\nnavigation 2 ") }
    let newer = try Data(contentsOf: kept.file)
    let next = try await kept.run("stories", script: "down")
    #expect(next.status == 1 && next.errors.contains("a newer version of this command wrote it. The file is unchanged"))
    #expect(try Data(contentsOf: kept.file) == newer)
  }

  @Test("a tab that only the saved navigation has is kept, in its place, also if a tab of the app is added again")
  func tabOfAnotherVersion() throws {
    let dictionary: CoordinatorID = "application/dictionary"
    func tab(_ key: String, _ screen: DemoScreen) -> Blueprint<DemoScreen>.Tab {
      .tab(TabKey(key), .stack([.screen(screen)]).owned(by: dictionary.child(key)))
    }
    func restored(_ tabs: [Blueprint<DemoScreen>.Tab]) throws -> [String]? {
      let saved = try Navigation(.tabs(tabs), owner: dictionary)
      let state = DemoState(home: .dictionary, session: Session(name: "ayaka", token: "secret"), navigation: saved)
      let read = try #require(DemoState(reading: try state.data(), for: .dictionary))
      #expect(read.losses == [])
      guard case .tabs(let tabs, _) = read.navigation?.root.content else { return nil }
      return tabs.map(\.key.name)
    }
    let (words, phrases, notes) = (tab("words", .words), tab("phrases", .phrases), tab("notes", .words))
    #expect(try restored([notes, phrases, words]) == ["notes", "phrases", "words"])
    #expect(try restored([notes, phrases]) == ["words", "phrases", "notes"])
  }

  @Test("of many lost parts only the first ones are listed, and the others are counted")
  func manyLosses() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("stories", script: "enter")
    try kept.edit { $0 + String(repeating: "{\"id\":1}\n", count: 50) }
    let next = try await kept.run("stories", script: "")
    #expect(next.errors.split(separator: "\n").count == 21, "\(next)")
    #expect(next.errors.contains("Warning: Dropped 30 more parts of"), "\(next)")
  }

  @Test("an app whose first screen belongs to an unknown coordinator starts from the beginning, and works")
  func unknownOwnerOfFirstScreen() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("dictionary", script: "\(Self.logIn) down enter")
    try kept.edit { $0.replacing("\"owner\":\"application/dictionary/words\"", with: "\"owner\":\"application/new\"") }
    let next = try await kept.run("dictionary", script: "escape down down enter")
    #expect(next.errors.contains("The app starts from the beginning"), "\(next)")
    #expect(next.output.hasPrefix(" ‹ gezellig\n"), "\(next)")
    let later = try await kept.run("dictionary", script: "")
    #expect(later.output.hasPrefix(" ‹ gezellig\n") && later.errors == "", "\(later)")
  }

  @Test("the dictionary is not restored without a log-in")
  func dictionaryNeedsLogIn() async throws {
    let kept = SavedState()
    defer { kept.remove() }
    _ = try await kept.run("dictionary", script: "\(Self.logIn) down enter")
    try kept.edit { $0.replacing(#/,"session":\{[^}]*\}/#, with: "") }
    let next = try await kept.run("dictionary", script: "")
    #expect(next.output.hasPrefix(" Log in\n") && next.errors.contains("they need a log-in"), "\(next)")
  }

  @Test("a HEAD request starts no session and does not navigate")
  @MainActor
  func headHasNoEffects() async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    let router = DemoWeb(.stories, at: .user("gary"), client: client).router
    func ask(_ method: HTTPMethod, _ path: String, _ cookie: String? = nil) async -> HTTPResponse? {
      var request = HTTPRequest(method, path)
      if let cookie { request.headers["Cookie"] = cookie }
      return await router.reply(to: request).response
    }
    let stranger = await ask(.head, "/")
    // A redirect would lead here again.
    #expect(stranger?.status == .ok && stranger?.headers["Set-Cookie"] == nil)
    #expect(await ask(.head, "/screens/7")?.headers["Location"] == "/")
    let start = await ask(.get, "/")
    let cookie = try #require(start?.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
    let user = try #require(start?.headers["Location"])
    let page = try #require(await ask(.get, user, cookie))
    #expect(String(decoding: page.body, as: UTF8.self).contains("Gary"))
    let back = try #require(String(decoding: page.body, as: UTF8.self).firstMatch(of: #/href="([^"]*)" rel="prev"/#)?.1)
    #expect(await ask(.head, String(back), cookie)?.headers["Location"] == user)
    #expect(await ask(.head, user, cookie)?.status == .ok)
    #expect(
      await ask(.get, user, cookie)?.status == .ok, "the screen is still open after the HEAD request for going back")
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a server that does not speak HTTP is reported as such")
  func serverWithoutHTTP() async throws {
    let server = try await LineServer.start(LineHandlers(onConnect: { $0.send("SSH-2.0-OpenSSH_9.2") }))
    let outcome = try await DemoProcess.run(
      "stories", "--server", "http://127.0.0.1:\(server.port)", "--size", "120x24", "--script", "")
    await server.stop(grace: .zero)
    #expect(outcome.output.contains("response. Check that the address belongs"), "\(outcome.output)")
  }
}
