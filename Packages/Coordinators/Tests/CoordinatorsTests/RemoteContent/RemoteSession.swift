import Coordinators
import Testing

/// A running stories app with a possibly slow shell, and a container for each screen with remote content.
@MainActor
final class RemoteSession {
  enum Event: CaseIterable, Sendable {
    case story, user, compose, done, swipeBack, dismiss, unwind, lateTap, deepLink, refresh, answer, catchUp
  }

  typealias Container = RemoteContentContainer<StoryContentProvider>

  let coordinators = Census()
  let providers = Census()
  let client: FaultyClient
  private var navigator: Navigator<StoriesScreen>?
  private let shell = ContainerShell<StoriesScreen>()
  private var containers: [NodeID: Container] = [:]
  private(set) var reports: [CoordinatorReport] = []

  init(seed: UInt64) {
    client = FaultyClient(seed: seed)
    let navigator = Navigator<StoriesScreen>(
      report: { [unowned self] in reports.append($0) }, show: shell.show)
    self.navigator = navigator
    shell.navigator = navigator
    shell.isQuick = false
    Census.$current.withValue(coordinators) {
      _ = navigator.start("application") { StoriesCoordinator(.stories, $0) }
    }
  }

  func happen(_ event: Event, _ choice: Int) {
    Census.$current.withValue(coordinators) {
      switch event {
      case .story: act(.story(choice % 5))
      case .user: act(.user(choice % 3))
      case .compose: act(.compose)
      case .done: act(.done)
      case .swipeBack: shell.gesture { $0.swipeBack() }
      case .dismiss: shell.gesture { $0.dismissModal() }
      case .unwind: navigator?.apply(.unwind(to: .coordinator("application")))
      case .lateTap: navigator?.send(.story(choice), from: NodeID(rawValue: choice))
      case .deepLink: navigator?.apply(.show(Self.target(choice % 5)))
      case .refresh: front.flatMap { containers[$0.id] }?.refresh()
      case .answer: client.answerSome()
      case .catchUp: shell.catchUp()
      }
    }
    follow()
  }

  var violations: [String] {
    guard let navigation = navigator?.navigation else { return ["nothing is shown"] }
    var found = navigation.violations
    let running = navigator?.coordinators ?? []
    if running != navigation.coordinators { found.append("running \(running), in the tree \(navigation.coordinators)") }
    if coordinators.alive != running.count { found.append("\(coordinators.alive) coordinators, \(running.count) run") }
    if providers.alive != containers.count { found.append("\(providers.alive) providers, \(containers.count) shown") }
    let fetching = containers.values.count { $0.content.isFetching }
    if client.wanted != fetching { found.append("\(client.wanted) calls are wanted, \(fetching) are waited for") }
    found += shell.failures
    if !shell.isLate, !shell.agrees(with: navigation) { found.append("the shell has something else") }
    return found
  }

  func end() -> [Int] {
    while shell.isLate { shell.catchUp() }
    containers = [:]
    navigator = nil
    return [coordinators.alive, providers.alive, client.wanted]
  }

  private var front: Node<StoriesScreen>? { navigator?.navigation?.front }

  private func act(_ action: StoriesScreen.Action) {
    if let id = front?.id { navigator?.send(action, from: id) }
  }

  private func follow() {
    guard let navigation = navigator?.navigation else { return }
    for (id, container) in containers where navigation[id] == nil {
      // A shell can report the disappearance, or only release the container.
      if id.rawValue % 2 == 0 { container.leave() }
      containers[id] = nil
    }
    guard let node = front, let screen = node.screen, screen.isRemote else { return }
    if containers[node.id] == nil {
      containers[node.id] = Census.$current.withValue(providers) {
        Container(StoryContentProvider(client: client)) { _ in }
      }
    }
    containers[node.id]?.appear()
  }

  private static func target(_ id: Int) -> Blueprint<StoriesScreen> {
    .stack([
      Blueprint.screen(.stories).owned(by: "application"),
      Blueprint.screen(.story(id)).owned(by: CoordinatorID("application/story \(id)")),
    ])
    .owned(by: "application")
  }
}
