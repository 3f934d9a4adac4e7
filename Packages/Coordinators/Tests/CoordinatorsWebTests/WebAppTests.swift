import Coordinators
import CoordinatorsWeb
import Futures
import Testing

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

  // Each fetch has its own promise; the last promise serves all later fetches.
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
@Suite("Web app")
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

  @Test("a response waits until the content of its page is complete")
  func responseWaitsForContent() async {
    let promise = promise
    let app = app
    var isAnswered = false
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let asking = Task {
      // Runs on the actor of the test, so it has reached its wait when the test continues.
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

  @Test("a response contains the old content during a refresh and is marked as loading")
  func oldContentIsServedDuringRefresh() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    fetches.promises.append(Promise())
    // The response to the POST does not wait either.
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

  @Test("a cancelled request stops waiting for its page")
  func cancelledRequestStopsWaiting() async {
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

  @Test("following a link and going back change the navigation")
  func linkAndBackChangeNavigation() async {
    promise.success(["fiets"])
    let home = await app.respond(to: WebRequest(.get, "/"))
    #expect(home.headers["Location"] == "/screens/1")
    let link = await app.respond(to: WebRequest(.get, "/screens/1/rows/fiets"))
    #expect(link.headers["Location"] == "/screens/2" && app.navigator.navigation?.front.screen == .word("fiets"))
    let back = await app.respond(to: WebRequest(.get, "/screens/1"))
    #expect(back.status == 200 && app.navigator.navigation?.front.screen == .words)
    #expect(app.shell.navigation == app.navigator.navigation)
  }

  @Test("two clicks on a link push one screen")
  func doubleClickPushesOnce() async {
    promise.success(["fiets"])
    for _ in 0..<2 { _ = await app.respond(to: WebRequest(.get, "/screens/1/rows/fiets")) }
    #expect(app.navigator.navigation?.root.children.count == 2)
  }

  @Test("the app can fetch the content of a visible screen again")
  func appRefreshesVisibleScreen() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    app.refresh(NodeID(rawValue: 0))
    #expect(fetches.count == 1)
    app.refresh(NodeID(rawValue: 1))
    #expect(fetches.count == 2)
  }

  @Test("submitting the refresh form fetches the content again")
  func refreshFormFetchesAgain() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    let answer = await app.respond(to: WebRequest(.post, "/screens/1/refresh", form: ["token": "token"]))
    #expect(answer.headers["Location"] == "/screens/1" && !app.navigator.work.isPending)
  }
}

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
  func inputReachesScreenBeforeSubmission() async {
    let page = await app.respond(to: WebRequest(.get, "/screens/1"))
    #expect(page.body.contains("action=\"/screens/1/forms/f\"") && page.body.contains("<script>"))
    #expect(await type("ayaka") == 204)
    #expect(app.navigator.navigation?.front.screen == .draft(name: "ayaka", secret: "••••"))
    #expect(await app.respond(to: WebRequest(.get, "/screens/1")).body.contains("value=\"ayaka\""))
    #expect(await type("joost", token: "another") == 403)
    #expect(app.navigator.navigation?.front.screen == .draft(name: "ayaka", secret: "••••"))
  }

  @Test("input that arrives after its form was left does not bring the form back")
  func lateInputDoesNotReturnToForm() async {
    let form = ["token": "token", "field-name": "ayaka"]
    _ = await app.respond(to: WebRequest(.post, "/screens/1/forms/f", form: form))
    let before = app.navigator.navigation
    #expect(await type("ayak") == 204 && before?.front.screen == .other && app.navigator.navigation == before)
  }
}
