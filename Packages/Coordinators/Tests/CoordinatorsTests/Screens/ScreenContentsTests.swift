import Coordinators
import Futures
import Testing

private enum Place: NavigationScreen {
  case list, remote(Int)
  enum Action: Sendable { case go }
}

private enum Failure: Error, CancellationRepresentable {
  case offline, cancelled
  static var cancellation: Failure { .cancelled }
}

/// A client whose responses the test controls; it records requests and cancellations.
@MainActor
private final class Client {
  var asked: [Int] = []
  var calledOff: [Int] = []
  var promises: [Int: Promise<String, Failure>] = [:]

  func fetch(_ id: Int) -> Future<String, Failure> {
    let promise = Promise<String, Failure>()
    asked.append(id)
    promises[id] = promise
    promise.onCancel { [weak self] in
      // The end of a test can release the promise on any thread.
      immediateOnMainExecutionContext { MainActor.assumeIsolated { self?.calledOff.append(id) } }
    }
    return promise.future
  }
}

private struct Provider: RemoteContentProviding {
  let id: Int
  let client: Client

  func fetchContent() -> Future<String, Failure> { MainActor.assumeIsolated { client.fetch(id) } }

  func presentation(for content: Result<String, Failure>) -> Page<Place.Action> {
    switch content {
    case .success(let text): Page(text)
    case .failure(let error): Page("No \(error)")
    }
  }
}

@MainActor
@Suite("Screen contents")
struct ScreenContentsTests {
  private let client = Client()
  private let work = PendingWork()
  private let contents: ScreenContents<Place>

  init() {
    let client = client
    contents = ScreenContents(work: work) { screen in
      switch screen {
      case .list: Page("List")
      case .remote(let id): .remote(Provider(id: id, client: client), title: "Remote \(id)")
      }
    }
  }

  private func stack(_ screens: [Place]) throws -> Navigation<Place> {
    try Navigation(.stack(screens.map { .screen($0) }))
  }

  private func title(_ navigation: Navigation<Place>) -> String { contents.page(of: navigation.front).title }

  @Test("remote pages use the app's texts")
  func remotePagesUseTheAppsTexts() throws {
    var texts = PageTexts()
    (texts.loading, texts.tryAgain, texts.notUpToDate) = ("Laden…", "Opnieuw", "Niet actueel:")
    let client = client
    let contents = ScreenContents<Place>(work: work) { _ in
      .remote(Provider(id: 1, client: client), title: "1", texts: texts)
    }
    let navigation = try stack([.remote(1)])
    func words() -> [String] {
      contents.page(of: navigation.front).elements.map { element in
        switch element {
        case .text(let text, _, _): text
        case .button(let button): button.title
        default: "?"
        }
      }
    }
    #expect(words() == ["Laden…"])
    contents.follow(navigation)
    #expect(words() == ["Laden…"])
    client.promises[1]?.failure(.offline)
    #expect(words() == ["Opnieuw"])
    contents.refresh(navigation.front.id)
    client.promises[1]?.success("content")
    contents.refresh(navigation.front.id)
    client.promises[1]?.failure(.offline)
    #expect(words() == ["Niet actueel: offline", "Opnieuw"])
  }

  @Test("a loading page shows its fixed elements above the loading text")
  func loadingPageShowsFixedElements() throws {
    let client = client
    let contents = ScreenContents<Place>(work: work) { _ in
      let form = Page<Place.Action>.Form(id: "search", submit: "Search", fields: []) { _ in .go }
      return .remote(Provider(id: 1, client: client), title: "1", whileLoading: [.form(form)])
    }
    let navigation = try stack([.remote(1)])
    for _ in 0..<2 {
      let page = contents.page(of: navigation.front)
      #expect(page.isLoading && page.form("search") != nil && page.elements.count == 2)
      contents.follow(navigation)
    }
    client.promises[1]?.success("content")
    #expect(contents.page(of: navigation.front).elements.isEmpty, "the provider's page is all there is then")
  }

  @Test("content is fetched when its screen becomes visible, and the page is marked as loading")
  func visibleScreenIsFetched() throws {
    let navigation = try stack([.list, .remote(1), .remote(2)])
    contents.follow(navigation)
    #expect(client.asked == [2] && work.isPending)
    #expect(title(navigation) == "Remote 2" && contents.page(of: navigation.front).isLoading)
    client.promises[2]?.success("Two")
    #expect(title(navigation) == "Two" && !contents.page(of: navigation.front).isLoading && !work.isPending)
  }

  @Test("the fetch is cancelled when the screen is covered, popped or replaced")
  func hiddenScreenCancelsFetch() throws {
    var navigation = try stack([.list, .remote(1)])
    contents.follow(navigation)
    try navigation.apply(.push(.screen(.list), onto: navigation.root.id))
    contents.follow(navigation)
    #expect(client.calledOff == [1] && !work.isPending && contents.count == 1)
    try navigation.apply(.pop(from: navigation.root.id))
    contents.follow(navigation)
    #expect(client.asked == [1, 1], "back in sight, it is fetched again")
    try navigation.apply(.pop(from: navigation.root.id))
    contents.follow(navigation)
    #expect(client.calledOff == [1, 1] && contents.count == 0)
    contents.follow(try stack([.remote(3)]))
    contents.follow(nil)
    #expect(client.calledOff == [1, 1, 3] && contents.count == 0 && !work.isPending)
  }

  @Test("a screen covered by a modal continues its fetch")
  func coveredScreenContinuesFetch() throws {
    var navigation = try stack([.remote(1)])
    contents.follow(navigation)
    try navigation.apply(.present(.screen(.list), over: navigation.root.id))
    contents.follow(navigation)
    #expect(client.calledOff.isEmpty)
  }

  @Test("a node with a new screen fetches the new content, and a late response is dropped")
  func updatedNodeFetchesNewContent() throws {
    var navigation = try stack([.remote(1)])
    contents.follow(navigation)
    let old = client.promises[1]
    try navigation.apply(.update(navigation.front.id, to: .remote(2)))
    contents.follow(navigation)
    #expect(client.calledOff == [1] && title(navigation) == "Remote 2")
    old?.success("One")
    #expect(title(navigation) == "Remote 2")
    var changes = 0
    contents.onChange = { _ in changes += 1 }
    client.promises[2]?.success("Two")
    #expect(title(navigation) == "Two" && changes == 1 && contents.count == 1)
  }

  @Test("a fetch whose promise is released ends, and can be repeated")
  func releasedFetchEnds() throws {
    let navigation = try stack([.remote(1)])
    contents.follow(navigation)
    client.promises[1] = nil
    let page = contents.page(of: navigation.front)
    #expect(!work.isPending && !page.isLoading && page.button("refresh") != nil && page.title == "Remote 1")
    contents.refresh(navigation.front.id)
    client.promises[1]?.success("One")
    #expect(title(navigation) == "One" && !work.isPending)
  }

  @Test("a fetch that a change handler repeats at once ends too")
  func repeatedFetchEnds() throws {
    let navigation = try stack([.remote(1)])
    contents.onChange = { [client, contents] id in if client.asked.count < 2 { contents.refresh(id) } }
    contents.follow(navigation)
    client.promises[1]?.failure(.offline)
    #expect(client.asked == [1, 1] && work.isPending)
    client.promises[1]?.success("One")
    #expect(!work.isPending)
  }

  @Test("waiting for idle continues if new work starts when the last work ends")
  func waitingContinuesWithNewWork() async {
    let work = work
    var isSettled = false
    work.begin()
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      // Runs on the actor of the test, so it has reached its wait when the test continues.
      begins.finish()
      await work.waitUntilIdle()
      isSettled = true
    }
    for await _ in beginning {}
    work.end()
    work.begin()
    for _ in 0..<10 { await Task.yield() }
    #expect(!isSettled)
    work.end()
    await waiting.value
  }

  @Test("waiting for idle returns when the waiting task is cancelled")
  func cancelledTaskStopsWaiting() async throws {
    contents.follow(try stack([.remote(1)]))
    let work = work
    let (beginning, begins) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      begins.finish()
      await work.waitUntilIdle()
    }
    for await _ in beginning {}
    waiting.cancel()
    await waiting.value
    let late = Task { await work.waitUntilIdle() }
    late.cancel()
    await late.value
    #expect(work.isPending)
    client.promises[1]?.success("One")
    await work.waitUntilIdle()
  }

  @Test("a change handler can read a page while its node changes its screen", arguments: [true, false])
  func changeHandlerCanReadPage(isFetched: Bool) throws {
    var navigation = try stack([.remote(1)])
    contents.follow(navigation)
    if isFetched { client.promises[1]?.success("One") }
    contents.onChange = { [contents] _ in _ = contents.page(of: navigation.front) }
    try navigation.apply(.update(navigation.front.id, to: .remote(2)))
    contents.follow(navigation)
    #expect(client.asked == [1, 2] && contents.count == 1 && work.isPending)
    client.promises[2]?.success("Two")
    #expect(title(navigation) == "Two" && !work.isPending)
  }
}
