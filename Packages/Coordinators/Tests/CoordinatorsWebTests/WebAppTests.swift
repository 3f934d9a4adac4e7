import Coordinators
import CoordinatorsWeb
import Futures
import Testing

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

  func presentation(for content: Result<[String], Never>) -> Page<Place.Action> {
    Page("Words", content.get().map { .row($0, .select($0)) })
  }
}

@MainActor
@Suite("Content that is fetched, in a browser")
struct WebAppTests {
  private let fetches: Fetches
  private let promise: Promise<[String], Never>
  private let desk: Desk<Place>

  init() {
    let fetches = Fetches()
    (self.fetches, promise) = (fetches, fetches.promises[0])
    desk = Desk(.stack([.screen(.words)])) { screen in
      switch screen {
      case .words: .remote(WordsProvider(fetches: fetches), title: "Words")
      case .word(let word): Page(word)
      case .settings, .hostile: Page("Other")
      }
    }
    desk.recorder.react = { [context = desk.recorder.context] action, _ in
      if case .select(let word) = action { context.push(.word(word)) }
    }
  }

  /// Starts a request, and returns when it waits.
  private func asking(_ request: WebRequest) async -> Task<WebResponse, Never> {
    let app = desk.app
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let asking = Task {
      // Runs on the actor of the test, so it has reached its wait when the test continues.
      begins.finish()
      return await app.respond(to: request)
    }
    for await _ in beginning {}
    return asking
  }

  @Test("a response waits until the content of its page is complete")
  func responseWaitsForContent() async {
    let asking = await asking(WebRequest("GET", "/~1"))
    #expect(fetches.count == 1)
    promise.success(["fiets"])
    #expect(await asking.value.body.contains(">fiets</a>"))
  }

  @Test("a cancelled request stops waiting for its page")
  func cancelledRequestStopsWaiting() async {
    let asking = await asking(WebRequest("GET", "/~1"))
    asking.cancel()
    #expect(await asking.value.status == 200 && desk.app.navigator.work.isPending)
  }

  @Test("during a refresh the page has its old content, and its script requests the new content without a reload")
  func oldContentDuringRefresh() async {
    promise.success(["fiets"])
    #expect(
      await desk.get("/~1").body.contains(
        "<form method=\"post\" action=\"/~1?~refresh\" class=\"refresh\">"))
    fetches.promises.append(Promise())
    // The response to the POST does not wait either.
    #expect(await desk.post("/~1?~refresh").location == "/~1" && desk.app.navigator.work.isPending)
    let old = await desk.get("/~1")
    #expect(old.body.contains(">fiets</a>") && !old.body.contains("http-equiv=\"refresh\""))
    #expect(old.body.contains("<p role=\"status\" data-wait=\"/~1?~wait\">Loading… <noscript>"))
    #expect(old.body.contains("<noscript><a href=\"/~1\">Reload</a></noscript>"))
    let asking = await asking(WebRequest("GET", "/~1?~wait"))
    fetches.promises[1].success(["brood"])
    let new = await asking.value
    #expect(new.body.contains(">brood</a>") && new.headers["Content-Location"] == "/~1")
    #expect(!new.body.contains("role=\"status\""))
  }

  @Test("two clicks on a link push one screen")
  func doubleClickPushesOnce() async {
    promise.success(["fiets"])
    for _ in 0..<2 { _ = await desk.get("/~1?~row=fiets") }
    #expect(desk.navigation.root.children.count == 2)
  }

  @Test("a click on a page that is covered while its content arrives has no effect")
  func clickOnCoveredPage() async {
    let asking = await asking(WebRequest("GET", "/~1?~row=fiets"))
    desk.recorder.context.push(.settings)
    promise.success(["fiets"])
    #expect(await asking.value.location == "/~2" && desk.recorder.sent.isEmpty)
  }

  @Test("a page that is covered while its content arrives is a redirect to the visible one")
  func coveredPage() async {
    let asking = await asking(WebRequest("GET", "/~1"))
    desk.recorder.context.push(.settings)
    promise.success(["fiets"])
    #expect(await asking.value.location == "/~2")
  }

  @Test("the app can fetch the content of a visible screen again")
  func appRefreshesVisibleScreen() async {
    promise.success(["fiets"])
    _ = await desk.get("/~1")
    desk.app.refresh(NodeID(rawValue: 0))
    #expect(fetches.count == 1)
    desk.app.refresh(NodeID(rawValue: 1))
    #expect(fetches.count == 2)
  }
}
