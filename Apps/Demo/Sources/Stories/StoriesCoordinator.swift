internal import Coordinators

/// The feed and its detail screens.
@MainActor
final class StoriesCoordinator: Coordinator {
  /// An event for the application coordinator.
  enum Event: Sendable { case loggedIn(Session), logInClosed, logOut }

  let context: DemoContext<Never>
  private let services: Services
  private let tell: (Event) -> Void

  init(_ context: DemoContext<Never>, _ services: Services, tell: @escaping (Event) -> Void) {
    self.context = context
    self.services = services
    self.tell = tell
  }

  func start() { context.push(.screen(.stories)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectStory(let story): context.push(.screen(.story(story)))
    case .openStory(let id): context.push(.screen(.storyID(id)))
    case .selectUser(let user): context.push(.screen(.user(user)))
    case .openMessages(let story): context.push(.screen(.messages(of: story)))
    case .selectMessage(let message): context.push(.screen(.message(message)))
    case .openLogIn: logIn()
    case .logOut: tell(.logOut)
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "log in"
      && context.restoreChild(name) {
        LogInCoordinator($0, self.services)
      } then: { [weak self] in
        self?.loggedIn($0)
      }
  }

  /// Shows the log-in in front of the current screen.
  func logIn() {
    context.startChild("log in", .modal) {
      LogInCoordinator($0, self.services)
    } then: { [weak self] in
      self?.loggedIn($0)
    }
  }

  private func loggedIn(_ result: CoordinatorResult<Session>) {
    switch result {
    case .finished(let session): tell(.loggedIn(session))
    case .cancelled: tell(.logInClosed)
    }
  }
}
