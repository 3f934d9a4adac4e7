internal import Coordinators

typealias DemoPresenter<Output: Sendable> = Presenter<DemoScreen, Output>

/// Finishes with the session of an existing account, or of a new one from its child, the sign-up.
@MainActor
final class LogInCoordinator: Coordinator {
  let presenter: DemoPresenter<Session>
  private let services: Services
  private let request: SessionRequest

  init(_ presenter: DemoPresenter<Session>, _ services: Services) {
    self.presenter = presenter
    self.services = services
    request = SessionRequest("sessions", for: presenter, services) { .logIn($0) }
  }

  func start() { presenter.push(.screen(.logIn(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .typeCredentials(let name, let hasPassword): request.edit(name, hasPassword: hasPassword, on: node)
    case .logIn(let credentials): request.send(credentials, from: node)
    case .openSignUp: presenter.start("sign up", .modal, make: signUp) { [weak self] in self?.signedUp($0) }
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    name == "sign up" && presenter.adopt(name, make: signUp) { [weak self] in self?.signedUp($0) }
  }

  private func signUp(_ presenter: DemoPresenter<Session>) -> SignUpCoordinator {
    SignUpCoordinator(presenter, services)
  }

  private func signedUp(_ result: CoordinatorResult<Session>) {
    if case .finished(let session) = result { presenter.finish(session) }
  }
}

/// Finishes with the session of a new account.
@MainActor
final class SignUpCoordinator: Coordinator {
  let presenter: DemoPresenter<Session>
  private let request: SessionRequest

  init(_ presenter: DemoPresenter<Session>, _ services: Services) {
    self.presenter = presenter
    request = SessionRequest("accounts", for: presenter, services) { .signUp($0) }
  }

  func start() { presenter.push(.screen(.signUp(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .typeCredentials(let name, let hasPassword): request.edit(name, hasPassword: hasPassword, on: node)
    case .signUp(let credentials): request.send(credentials, from: node)
    default: break
    }
  }
}
