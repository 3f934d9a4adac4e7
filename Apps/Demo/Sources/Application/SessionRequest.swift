internal import Coordinators
internal import Futures

/// What the log-in and the sign-up mean alike: a name and a password are sent to the server, once at a time, and become a
/// session, with which the coordinator ends, or else a reason on the form.
@MainActor
final class SessionRequest {
  private let path: String
  private let presenter: DemoPresenter<Session>
  private let services: Services
  private let screen: (LogInForm) -> DemoScreen
  private var attempt: Future<Session, ClientError>?

  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - path: Where the server takes it.
  ///   - presenter: Whose coordinator ends with the session.
  ///   - services: The server, and what counts as under way.
  ///   - screen: The screen of a form.
  init(
    _ path: String, for presenter: DemoPresenter<Session>, _ services: Services,
    screen: @escaping (LogInForm) -> DemoScreen
  ) {
    self.path = path
    self.presenter = presenter
    self.services = services
    self.screen = screen
  }

  deinit { attempt?.cancel() }

  /// Sends what was typed on a node's form; a second Enter while the server is asked changes nothing.
  func send(_ credentials: Credentials, from node: NodeID) {
    guard attempt == nil else { return }
    guard !credentials.isBlank else {
      return show(LogInForm(name: credentials.name, problem: "Give a name and a password."), on: node)
    }
    show(LogInForm(name: credentials.name, isBusy: true), on: node)
    let answer: Future<Session, ClientError> = services.client.post(path, credentials)
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
        show(LogInForm(name: credentials.name, problem: problem), on: node)
      }
    }
  }

  private func show(_ form: LogInForm, on node: NodeID) { presenter.apply(.update(node, to: screen(form))) }
}
