internal import Coordinators
internal import Futures

/// The request of the log-in and the sign-up.
///
/// Sends a name and a password to the server, at most one request at a time. On success the coordinator finishes with the
/// session. On failure the form shows the reason.
@MainActor
final class SessionRequest {
  private let path: String
  private let context: DemoContext<Session>
  private let services: Services
  private let screen: (LogInForm) -> DemoScreen
  private var attempt: Future<Session, ClientError>?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - path: The path at the server.
  ///   - context: The context of the coordinator, which finishes with the session.
  ///   - services: The client.
  ///   - screen: Makes the screen of a form.
  init(
    _ path: String, for context: DemoContext<Session>, _ services: Services,
    screen: @escaping (LogInForm) -> DemoScreen
  ) {
    self.path = path
    self.context = context
    self.services = services
    self.screen = screen
  }

  deinit { attempt?.cancel() }

  /// Sends the input of a node's form.
  ///
  /// Does nothing while a request is in flight.
  func send(_ credentials: Credentials, from node: Node<DemoScreen>) {
    guard attempt == nil else { return }
    guard !credentials.isBlank else {
      let form = LogInForm(
        name: credentials.name, problem: "Enter a name and a password.", invalidFields: credentials.blankFields)
      return show(form, on: node.id)
    }
    show(LogInForm(name: credentials.name, isBusy: true), on: node.id)
    let answer: Future<Session, ClientError> = services.client.post(path, credentials)
    // Set first: `track` calls back synchronously if the future is complete.
    attempt = answer
    context.track(answer) { [weak self] result in
      // The user may have cancelled the request after its response arrived.
      guard let self, attempt === answer else { return }
      attempt = nil
      switch result {
      case .success(let session): context.finish(session)
      case .failure(.cancelled): break
      case .failure(let error):
        let problem = error == .logInNeeded ? "Wrong name or password. Try again." : "\(error)"
        // The user may have edited the form during the request.
        var form = context.navigation?[node.id]?.screen?.form ?? LogInForm(name: credentials.name)
        let invalid: Set<String> =
          switch error {
          case .logInNeeded: ["name", "password"]
          case .taken: ["name"]
          default: []
          }
        (form.problem, form.invalidFields, form.isBusy) = (problem, invalid, false)
        show(form, on: node.id)
      }
    }
  }

  /// Cancels the request in flight, and ignores its response.
  func cancel(from node: Node<DemoScreen>) {
    guard let cancelled = attempt else { return }
    attempt = nil
    cancelled.cancel()
    guard var form = node.screen?.form else { return }
    form.isBusy = false
    show(form, on: node.id)
  }

  /// Keeps the input of a node's form, except for the password itself.
  func edit(_ name: String, hasPassword: Bool, on node: Node<DemoScreen>) {
    guard var form = node.screen?.form else { return }
    (form.name, form.hasPassword) = (name, hasPassword)
    show(form, on: node.id)
  }

  private func show(_ form: LogInForm, on node: NodeID) { context.apply(.update(node, to: screen(form))) }
}
