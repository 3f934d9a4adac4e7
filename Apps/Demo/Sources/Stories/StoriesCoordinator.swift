internal import Coordinators

/// The feed and its detail screens.
@MainActor
final class StoriesCoordinator: Coordinator {
  /// An event for the application coordinator.
  enum Event: Sendable { case loggedIn(Session), logInClosed, logOut }

  let presenter: DemoPresenter<Never>
  private let services: Services
  private let tell: (Event) -> Void

  init(_ presenter: DemoPresenter<Never>, _ services: Services, tell: @escaping (Event) -> Void) {
    self.presenter = presenter
    self.services = services
    self.tell = tell
  }

  func start() { presenter.push(.screen(.stories)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectStory(let story): presenter.push(.screen(.story(story)))
    case .openStory(let id): presenter.push(.screen(.storyID(id)))
    case .selectUser(let user): presenter.push(.screen(.user(user)))
    case .openMessages(let story): presenter.push(.screen(.messages(of: story)))
    case .selectMessage(let message): presenter.push(.screen(.message(message)))
    case .openLogIn: logIn()
    case .logOut: tell(.logOut)
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    name == "log in"
      && presenter.adopt(name) {
        LogInCoordinator($0, self.services)
      } then: { [weak self] in
        self?.loggedIn($0)
      }
  }

  /// Shows the log-in in front of the current screen.
  func logIn() {
    presenter.start("log in", .modal) {
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
