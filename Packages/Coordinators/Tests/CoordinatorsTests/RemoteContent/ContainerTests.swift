import Coordinators
import Foundation
import Futures
import Testing

/// The talk's models and providers, with a client whose responses the test controls.
private struct User: Hashable, Sendable { var name: String }

private struct Story: Hashable, Sendable {
  var id: Int
  var title: String
  var sender: User
  var recipient: User
}

/// This error cannot represent a cancellation, so a response can arrive after the container cancelled its fetch.
private enum ClientError: Error, Equatable { case notFound }

/// The detail screen requires a story.
private enum Detail: Hashable, Sendable {
  case story(Story)
  case user(User)
  case error(title: String)
}

@MainActor
private final class Client {
  var stories: [Int: Promise<Story, ClientError>] = [:]
  var cancelled: [Int] = []
  var fetches = 0

  func showStory(_ id: Int) -> Future<Story, ClientError> {
    let promise = Promise<Story, ClientError>()
    stories[id] = promise
    fetches += 1
    promise.onCancel { [weak self] in MainActor.assumeIsolated { self?.cancelled.append(id) } }
    return promise.future
  }
}

private struct StoryProvider: RemoteContentProviding {
  let id: Int
  let client: Client

  func fetchContent() -> Future<Story, ClientError> { MainActor.assumeIsolated { client.showStory(id) } }

  func presentation(for content: Result<Story, ClientError>) -> Detail {
    switch content {
    case .success(let story): .story(story)
    case .failure: .error(title: "Could not find story.")
    }
  }
}

/// Cancelling its fetch completes the fetch at once.
private struct QuickProvider: RemoteContentProviding {
  let promise = Promise<Int, CancellationError>()

  func fetchContent() -> Future<Int, CancellationError> { promise.future }
  func presentation(for content: Result<Int, CancellationError>) -> Int? { try? content.get() }
}

@MainActor
@Suite("The container of remote content")
struct ContainerTests {
  private let client = Client()
  private let story = Story(id: 1, title: "Lunch", sender: User(name: "Ayaka"), recipient: User(name: "Soroush"))

  @Test("the container shows the provider's screen for the received content")
  func containerShowsProvidersScreen() {
    var screens: [Detail?] = []
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { screens.append($0.presentation) }
    container.appear()
    client.stories[1]?.failure(.notFound)
    container.refresh()
    client.stories[1]?.success(story)
    #expect(screens == [nil, .error(title: "Could not find story."), nil, .story(story)])
  }

  @Test("appearing again fetches after a failure, but not after content")
  func appearingAgainFetchesAfterFailure() {
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in }
    container.appear()
    client.stories[1]?.failure(.notFound)
    container.leave()
    container.appear()
    #expect(client.fetches == 2)
    client.stories[1]?.success(story)
    container.leave()
    container.appear()
    #expect(client.fetches == 2 && container.presentation == .story(story))
    container.refresh()
    client.stories[1]?.failure(.notFound)
    container.leave()
    container.appear()
    #expect(client.fetches == 4 && container.presentation == .story(story), "old content is shown and fetched again")
  }

  @Test("the fetch is cancelled when the screen disappears")
  func disappearingCancelsFetch() {
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in }
    container.appear()
    container.leave()
    #expect(client.cancelled == [1] && container.content == .idle && container.presentation == nil)
  }

  @Test("the fetch is cancelled when the container is released")
  func releasingContainerCancelsFetch() {
    var container: RemoteContentContainer? = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in }
    container?.appear()
    #expect(client.cancelled.isEmpty)
    container = nil
    #expect(client.cancelled == [1])
  }

  @Test("a late response of an earlier visit is dropped")
  func lateResponseIsDropped() {
    var changes = 0
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in changes += 1 }
    container.appear()
    let first = client.stories[1]
    container.leave()
    container.appear()
    let before = changes
    #expect(client.cancelled == [1])
    first?.success(story)
    #expect(changes == before && container.content == .loading)
    client.stories[1]?.success(story)
    #expect(container.presentation == .story(story))
  }

  @Test("refresh and appearing start no second fetch, and refresh before the first visit does nothing")
  func onlyOneFetchRuns() {
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in }
    container.refresh()
    #expect(client.fetches == 0)
    container.appear()
    container.appear()
    container.refresh()
    #expect(client.fetches == 1)
    container.leave()
    container.refresh()
    #expect(client.fetches == 1 && container.content == .idle)
  }

  @Test("a response in transit from another thread is dropped when the screen disappears", .timeLimit(.minutes(5)))
  func responseInTransitIsDropped() async {
    let provider = QuickProvider()
    let container = RemoteContentContainer(provider) { _ in }
    container.appear()
    let answered = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      provider.promise.success(1)
      answered.signal()
    }
    answered.waitForIt()
    container.leave()
    // Runs on the main queue after the response.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(container.content.isIdle)
  }

  @Test("the old content is shown during a refresh and after a failed refresh")
  func oldContentIsShownDuringRefresh() {
    let container = RemoteContentContainer(StoryProvider(id: 1, client: client)) { _ in }
    container.appear()
    client.stories[1]?.success(story)
    container.refresh()
    #expect(container.content == .content(story, isRefreshing: true) && container.presentation == .story(story))
    client.stories[1]?.failure(.notFound)
    #expect(container.content == .failed(.notFound, story) && container.presentation == .story(story))
    container.refresh()
    client.stories[1]?.success(story)
    #expect(container.content == .content(story, isRefreshing: false) && client.fetches == 3)
  }
}

extension RemoteContent {
  fileprivate var isIdle: Bool { if case .idle = self { true } else { false } }
}
