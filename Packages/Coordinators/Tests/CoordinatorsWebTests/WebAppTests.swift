import Coordinators
import CoordinatorsWeb
import Futures
import Testing

/// An app with one coordinator, whose words are fetched.
@MainActor
private final class Words: Coordinator {
  let context: CoordinatorContext<Place, Never>

  init(_ context: CoordinatorContext<Place, Never>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    if case .select(let word) = action { context.push(.screen(.word(word))) }
  }
}

@MainActor
private final class Fetches {
  var promises = [Promise<[String], Never>()]
  var count = 0
}

private struct WordsProvider: RemoteContentProviding {
  let fetches: Fetches

  // Each fetch has a promise of its own; the last one serves all that come after.
  func fetchContent() -> Future<[String], Never> {
    MainActor.assumeIsolated {
      defer { fetches.count += 1 }
      return fetches.promises[min(fetches.count, fetches.promises.count - 1)].future
    }
  }

  func screen(for content: Result<[String], Never>) -> Page<Place.Action> {
    Page("Words", content.get().map { .row(.init(id: $0, ListCell($0), .select($0))) })
  }
}

@MainActor
@Suite("An app in a browser")
struct WebAppTests {
  private let fetches = Fetches()
  private let promise: Promise<[String], Never>
  private let app: WebApp<Place>

  init() {
    let fetches = fetches
    promise = fetches.promises[0]
    app = WebApp(token: "token", start: Words.init) { screen in
      switch screen {
      case .words: .remote(WordsProvider(fetches: fetches), title: "Words")
      case .word(let word): Page(word)
      case .settings, .hostile: Page("Other")
      }
    }
  }

  @Test("answers when what a page needs is there, and not before")
  func waits() async {
    let promise = promise
    let app = app
    var isAnswered = false
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let asking = Task {
      // On this actor: when the test goes on it waits.
      begins.finish()
      let response = await app.respond(to: WebRequest(.get, "/screens/1"))
      isAnswered = true
      return response
    }
    for await _ in beginning {}
    #expect(!isAnswered && fetches.count == 1)
    promise.success(["fiets"])
    #expect(await asking.value.body.contains(">fiets</a>"))
  }

  @Test("answers with the old content while new one is fetched, and says that there is more to come")
  func staleWhileRefreshing() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    fetches.promises.append(Promise())
    // The post is not kept waiting either.
    let refresh = await app.respond(to: WebRequest(.post, "/screens/1/refresh", form: ["token": "token"]))
    #expect(refresh.headers["Location"] == "/screens/1" && app.navigator.work.isPending)
    let old = await app.respond(to: WebRequest(.get, "/screens/1"))
    #expect(
      app.navigator.work.isPending && old.body.contains(">fiets</a>") && old.body.contains("http-equiv=\"refresh\""))
    #expect(
      await app.respond(to: WebRequest(.get, "/")).headers["Location"] == "/screens/1" && app.navigator.work.isPending)
    fetches.promises[1].success(["brood"])
    await app.navigator.waitUntilIdle()
    #expect(await app.respond(to: WebRequest(.get, "/screens/1")).body.contains(">brood</a>"))
  }

  @Test("waits no longer for a page when its browser is gone")
  func cancelled() async {
    let app = app
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let asking = Task {
      begins.finish()
      return await app.respond(to: WebRequest(.get, "/screens/1"))
    }
    for await _ in beginning {}
    #expect(fetches.count == 1)
    asking.cancel()
    #expect(await asking.value.status == 200 && app.navigator.work.isPending)
  }

  @Test("follows a link, and goes back")
  func follows() async {
    promise.success(["fiets"])
    let home = await app.respond(to: WebRequest(.get, "/"))
    #expect(home.headers["Location"] == "/screens/1")
    let link = await app.respond(to: WebRequest(.get, "/screens/1/rows/fiets"))
    #expect(link.headers["Location"] == "/screens/2" && app.navigator.navigation?.front.screen == .word("fiets"))
    let back = await app.respond(to: WebRequest(.get, "/screens/1"))
    #expect(back.status == 200 && app.navigator.navigation?.front.screen == .words)
    #expect(app.shell.navigation == app.navigator.navigation)
  }

  @Test("clicked twice on a link, leads there once")
  func doubleClick() async {
    promise.success(["fiets"])
    for _ in 0..<2 { _ = await app.respond(to: WebRequest(.get, "/screens/1/rows/fiets")) }
    #expect(app.navigator.navigation?.root.children.count == 2)
  }

  @Test("the app can fetch the content of a visible screen again")
  func refreshByApp() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    app.refresh(NodeID(rawValue: 0))
    #expect(fetches.count == 1)
    app.refresh(NodeID(rawValue: 1))
    #expect(fetches.count == 2)
  }

  @Test("fetches anew when a form asks for it")
  func refresh() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    let answer = await app.respond(to: WebRequest(.post, "/screens/1/refresh", form: ["token": "token"]))
    #expect(answer.headers["Location"] == "/screens/1" && !app.navigator.work.isPending)
  }
}

/// A screen that stores the input of its form.
private enum Draft: NavigationScreen {
  case draft(name: String, secret: String = ""), other

  enum Action: Sendable { case typed(String, String), send(String) }
}

@MainActor
private final class DraftCoordinator: Coordinator {
  let context: CoordinatorContext<Draft, Never>

  init(_ context: CoordinatorContext<Draft, Never>) { self.context = context }

  func start() { context.push(.screen(.draft(name: ""))) }

  func receive(_ action: Draft.Action, from node: Node<Draft>) {
    switch action {
    case .typed(let name, let secret): context.apply(.update(node.id, to: .draft(name: name, secret: secret)))
    case .send: context.push(.screen(.other))
    }
  }
}

@MainActor
@Suite("Form input in a browser")
struct WebFormInputTests {
  private let app: WebApp<Draft>

  init() {
    app = WebApp(token: "token") { screen in
      guard case .draft(let name, _) = screen else { return Page("Other") }
      let fields = [PageField("name", "Name", value: name), PageField("secret", "Secret", kind: .secret)]
      return Page(
        "Draft",
        [
          .form(
            Page.Form(id: "f", submit: "Send", fields: fields) {
              .send($0["name"])
            } edited: {
              .typed($0["name"], $0["secret"])
            })
        ])
    }
    app.navigator.start("draft") { DraftCoordinator($0) }
  }

  private func type(_ name: String, token: String = "token") async -> Int {
    let form = ["token": token, "field-name": name, "field-secret": "tulp"]
    return await app.respond(to: WebRequest(.post, "/screens/1/forms/f/input", form: form)).status
  }

  @Test("input reaches the screen before the form is submitted, secrets masked, and the page keeps it")
  func inputReachesScreen() async {
    let page = await app.respond(to: WebRequest(.get, "/screens/1"))
    #expect(page.body.contains("action=\"/screens/1/forms/f\"") && page.body.contains("<script>"))
    #expect(await type("ayaka") == 204)
    #expect(app.navigator.navigation?.front.screen == .draft(name: "ayaka", secret: "••••"))
    #expect(await app.respond(to: WebRequest(.get, "/screens/1")).body.contains("value=\"ayaka\""))
    #expect(await type("joost", token: "another") == 403)
    #expect(app.navigator.navigation?.front.screen == .draft(name: "ayaka", secret: "••••"))
  }

  @Test("input that arrives after its form was left does not bring the form back")
  func lateInput() async {
    let form = ["token": "token", "field-name": "ayaka"]
    _ = await app.respond(to: WebRequest(.post, "/screens/1/forms/f", form: form))
    let before = app.navigator.navigation
    #expect(await type("ayak") == 204 && before?.front.screen == .other && app.navigator.navigation == before)
  }
}
