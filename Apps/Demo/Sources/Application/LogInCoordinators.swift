internal import Coordinators

typealias DemoContext<Output: Sendable> = CoordinatorContext<DemoScreen, Output>

/// Finishes with the session of an existing account, or of a new one from its child, the sign-up.
@MainActor
final class LogInCoordinator: Coordinator {
  let context: DemoContext<Session>
  private let services: Services
  private let request: SessionRequest

  init(_ context: DemoContext<Session>, _ services: Services) {
    self.context = context
    self.services = services
    request = SessionRequest("sessions", for: context, services) { .logIn($0) }
  }

  func start() { context.push(.screen(.logIn(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .typeCredentials(let name, let hasPassword): request.edit(name, hasPassword: hasPassword, on: node)
    case .logIn(let credentials): request.send(credentials, from: node)
    case .openSignUp:
      // A late log-in would replace the sign-up.
      request.cancel(from: node)
      context.startChild("sign up", .modal, make: signUp) { [weak self] in self?.signedUp($0) }
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "sign up" && context.restoreChild(name, make: signUp) { [weak self] in self?.signedUp($0) }
  }

  private func signUp(_ context: DemoContext<Session>) -> SignUpCoordinator {
    SignUpCoordinator(context, services)
  }

  private func signedUp(_ result: CoordinatorResult<Session>) {
    if case .finished(let session) = result { context.finish(session) }
  }
}

/// Finishes with the session of a new account.
@MainActor
final class SignUpCoordinator: Coordinator {
  let context: DemoContext<Session>
  private let request: SessionRequest

  init(_ context: DemoContext<Session>, _ services: Services) {
    self.context = context
    request = SessionRequest("accounts", for: context, services) { .signUp($0) }
  }

  func start() { context.push(.screen(.signUp(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .typeCredentials(let name, let hasPassword): request.edit(name, hasPassword: hasPassword, on: node)
    case .signUp(let credentials): request.send(credentials, from: node)
    default: break
    }
  }
}
