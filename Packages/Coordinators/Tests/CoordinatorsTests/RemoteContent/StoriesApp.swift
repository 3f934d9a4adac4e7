import Coordinators
import Futures
import TestSupport
import Testing

/// The talk's first app: stories with remote details, users, and a form in a modal.
enum StoriesScreen: NavigationScreen {
  case stories, story(Int), user(Int), compose

  enum Action: Sendable { case story(Int), user(Int), compose, done }

  var isRemote: Bool {
    switch self {
    case .story, .user: true
    case .stories, .compose: false
    }
  }
}

/// A coordinator of a list, a story or a form; all handle actions in the same way.
@MainActor
final class StoriesCoordinator: Coordinator {
  let context: CoordinatorContext<StoriesScreen, Int>
  let screen: StoriesScreen
  let member = Census.Member()

  init(_ screen: StoriesScreen, _ context: CoordinatorContext<StoriesScreen, Int>) {
    self.screen = screen
    self.context = context
  }

  func start() { context.push(.screen(screen)) }

  func receive(_ action: StoriesScreen.Action, from node: Node<StoriesScreen>) {
    switch action {
    case .story(let id): context.startChild("story \(id)") { StoriesCoordinator(.story(id), $0) }
    case .user(let id): context.push(.screen(.user(id)))
    case .compose:
      context.startChild("compose", .modal) {
        StoriesCoordinator(.compose, $0)
      } then: { [context] result in
        if case .finished(let id) = result { context.push(.screen(.story(id))) }
      }
    case .done: if context.id.parent != nil { context.finish(1) }
    }
  }

  func restoreChild(_ name: String) -> Bool {
    context.restoreChild(name) { StoriesCoordinator(.story(0), $0) }
  }
}

enum Fault: Error, Equatable, CancellationRepresentable {
  case offline, cancelled
  static var cancellation: Fault { .cancelled }
}

/// A server that responds at once, late, twice, never, or after the request was cancelled.
@MainActor
final class FaultyClient {
  private struct Call {
    let promise: Promise<String, Fault>
    var isCancelled = false
  }

  private var calls: [Int: Call] = [:]
  private var next = 0
  private var choices: SeededGenerator
  private(set) var faults: [String: Int] = [:]

  init(seed: UInt64) { choices = SeededGenerator(seed: seed) }

  var wanted: Int { calls.values.count { !$0.isCancelled } }

  func fetch() -> Future<String, Fault> {
    let promise = Promise<String, Fault>()
    let number = next
    next += 1
    calls[number] = Call(promise: promise)
    promise.onCancel { [weak self] in MainActor.assumeIsolated { self?.cancel(number) } }
    // Some responses arrive before the caller receives the future.
    if Int.random(in: 0..<4, using: &choices) == 0 { answer(number) }
    return promise.future
  }

  func answerSome() {
    guard let number = calls.keys.sorted().randomElement(using: &choices) else { return }
    answer(number)
  }

  private func answer(_ number: Int) {
    guard let call = calls[number] else { return }
    let isLast = Int.random(in: 0..<4, using: &choices) != 0
    // Removed first, because the receiver of the response can fetch again.
    calls[number] = nil
    let result: Result<String, Fault> =
      Int.random(in: 0..<3, using: &choices) == 0 ? .failure(.offline) : .success("\(number)")
    if call.isCancelled { faults["late", default: 0] += 1 }
    if case .failure = result { faults["failed", default: 0] += 1 }
    _ = call.promise.tryComplete(result)
    if !isLast {
      faults["twice", default: 0] += 1
      _ = call.promise.tryComplete(.success("again"))
    }
  }

  private func cancel(_ number: Int) { calls[number]?.isCancelled = true }
}

struct StoryContentProvider: RemoteContentProviding {
  let client: FaultyClient
  let member = Census.Member()

  func fetchContent() -> Future<String, Fault> { MainActor.assumeIsolated { client.fetch() } }

  func screen(for content: Result<String, Fault>) -> String {
    switch content {
    case .success(let text): text
    case .failure: "Could not find story."
    }
  }
}
