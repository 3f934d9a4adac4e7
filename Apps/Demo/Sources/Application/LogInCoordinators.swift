internal import Coordinators
internal import Futures

typealias DemoPresenter<Output: Sendable> = Presenter<DemoScreen, Output>

/// Ends with a session: of an account that is there, or of one that its child makes.
@MainActor
final class LogInCoordinator: Coordinator {
  let presenter: DemoPresenter<Session>
  private let services: Services
  private var attempt: Future<Session, ClientError>?

  init(_ presenter: DemoPresenter<Session>, _ services: Services) {
    self.presenter = presenter
    self.services = services
  }

  deinit { attempt?.cancel() }

  func start() { presenter.push(.screen(.logIn(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .logIn(let credentials): logIn(credentials, on: node.id)
    case .openSignUp:
      presenter.start("sign up", .modal) {
        SignUpCoordinator($0, self.services)
      } then: { [weak self] result in
        self?.signedUp(result)
      }
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    name == "sign up"
      && presenter.adopt(name) {
        SignUpCoordinator($0, self.services)
      } then: { [weak self] result in
        self?.signedUp(result)
      }
  }

  private func signedUp(_ result: CoordinatorResult<Session>) {
    if case .finished(let session) = result { presenter.finish(session) }
  }

  private func logIn(_ credentials: Credentials, on node: NodeID) {
    // A second Enter while the server is asked changes nothing.
    guard attempt == nil else { return }
    presenter.apply(.update(node, to: .logIn(LogInForm(name: credentials.name, isBusy: true))))
    let answer: Future<Session, ClientError> = services.client.post("sessions", credentials)
    // Before anybody hears of it: an answer that is there already is heard at once.
    attempt = answer
    services.work.track(answer) { [weak self] result in
      guard let self else { return }
      attempt = nil
      switch result {
      case .success(let session): presenter.finish(session)
      case .failure(.cancelled): break
      case .failure(let error):
        let problem = error == .logInNeeded ? "No account has this name and this password." : "\(error)"
        presenter.apply(.update(node, to: .logIn(LogInForm(name: credentials.name, problem: problem))))
      }
    }
  }
}

/// Ends with the session of a new account.
@MainActor
final class SignUpCoordinator: Coordinator {
  let presenter: DemoPresenter<Session>
  private let services: Services
  private var attempt: Future<Session, ClientError>?

  init(_ presenter: DemoPresenter<Session>, _ services: Services) {
    self.presenter = presenter
    self.services = services
  }

  deinit { attempt?.cancel() }

  func start() { presenter.push(.screen(.signUp(LogInForm()))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    guard case .signUp(let credentials) = action, attempt == nil else { return }
    guard !credentials.name.isEmpty, !credentials.password.isEmpty else {
      let form = LogInForm(name: credentials.name, problem: "Give a name and a password.")
      return presenter.apply(.update(node.id, to: .signUp(form)))
    }
    presenter.apply(.update(node.id, to: .signUp(LogInForm(name: credentials.name, isBusy: true))))
    let answer: Future<Session, ClientError> = services.client.post("accounts", credentials)
    // Before anybody hears of it: an answer that is there already is heard at once.
    attempt = answer
    services.work.track(answer) { [weak self] result in
      guard let self else { return }
      attempt = nil
      switch result {
      case .success(let session): presenter.finish(session)
      case .failure(.cancelled): break
      case .failure(let error):
        let form = LogInForm(name: credentials.name, problem: "\(error)")
        presenter.apply(.update(node.id, to: .signUp(form)))
      }
    }
  }
}
