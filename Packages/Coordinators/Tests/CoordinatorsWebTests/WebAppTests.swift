import Coordinators
import CoordinatorsWeb
import Futures
import Testing

/// An app with one coordinator, whose words are fetched.
@MainActor
private final class Words: Coordinator {
  let presenter: Presenter<Place, Never>

  init(_ presenter: Presenter<Place, Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    if case .select(let word) = action { presenter.push(.screen(.word(word))) }
  }
}

private struct WordsProvider: RemoteContentProviding {
  let promise: Promise<[String], Never>

  func fetchContent() -> Future<[String], Never> { promise.future }

  func screen(for content: Result<[String], Never>) -> Page<Place.Action> {
    Page("Words", content.get().map { .row(.init(id: $0, ListCell($0), .select($0))) })
  }
}

@MainActor
@Suite("An app in a browser")
struct WebAppTests {
  private let promise = Promise<[String], Never>()
  private let app: WebApp<Place>
  private let work = PendingWork()

  init() {
    let promise = promise
    let contents = ScreenContents<Place>(work: work) { screen in
      switch screen {
      case .words: .remote(RemotePage(WordsProvider(promise: promise), title: "Words"))
      case .word(let word): .page(Page(word))
      case .settings, .hostile: .page(Page("Other"))
      }
    }
    app = WebApp(contents: contents, work: work, token: "token")
    app.navigator.start("application") { Words($0) }
  }

  @Test("answers when what a page needs is there, and not before")
  func waits() async {
    let promise = promise
    let app = app
    var isAnswered = false
    let asking = Task {
      let response = await app.respond(to: WebRequest(.get, "/screens/1"))
      isAnswered = true
      return response
    }
    for _ in 0..<10 { await Task.yield() }
    #expect(!isAnswered)
    promise.success(["fiets"])
    #expect(await asking.value.body.contains(">fiets</a>"))
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
    #expect(app.shell.tree.skeleton == app.navigator.navigation?.skeleton)
  }

  @Test("clicked twice on a link, leads there once")
  func doubleClick() async {
    promise.success(["fiets"])
    for _ in 0..<2 { _ = await app.respond(to: WebRequest(.get, "/screens/1/rows/fiets")) }
    #expect(app.navigator.navigation?.root.children.count == 2)
  }

  @Test("fetches anew when a form asks for it")
  func refresh() async {
    promise.success(["fiets"])
    _ = await app.respond(to: WebRequest(.get, "/screens/1"))
    let answer = await app.respond(to: WebRequest(.post, "/screens/1/refresh", form: ["token": "token"]))
    #expect(answer.headers["Location"] == "/screens/1" && !work.isPending)
  }
}
