internal import Coordinators
internal import Futures
internal import FuturesNetworking

/// The state of the log-in or sign-up form, without the password.
struct LogInForm: Hashable, Codable, Sendable {
  var name = ""
  /// The reason why the last attempt failed.
  var problem: String?
  var isBusy = false

  /// Only the name is saved.
  private enum CodingKeys: CodingKey { case name }
}

/// Finishes with the session of an existing account, or of a new one from its child, the sign-up.
@MainActor
final class LogInCoordinator: Coordinator {
  let context: DemoContext<Session>
  private let services: Services
  private let isSignUp: Bool
  private var attempt: Future<Session, NetworkError>?

  init(_ context: DemoContext<Session>, _ services: Services, isSignUp: Bool = false) {
    self.context = context
    self.services = services
    self.isSignUp = isSignUp
  }

  deinit { attempt?.cancel() }

  func start() { context.push(screen(LogInForm())) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .submit(let credentials): send(credentials, from: node.id)
    case .openSignUp:
      // Otherwise a late response would replace the sign-up.
      let cancelled = attempt
      attempt = nil
      cancelled?.cancel()
      context.startChild("sign up", .modal, make: signUp, then: signedUp)
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "sign up" && context.restoreChild(name, make: signUp, then: signedUp)
  }

  private func signUp(_ context: DemoContext<Session>) -> LogInCoordinator {
    LogInCoordinator(context, services, isSignUp: true)
  }

  private var signedUp: (CoordinatorResult<Session>) -> Void {
    { [weak self] result in if case .finished(let session) = result { self?.context.finish(session) } }
  }

  /// Sends the input to the server; ignored while a request is in flight.
  private func send(_ credentials: Credentials, from node: NodeID) {
    guard attempt == nil else { return }
    guard !credentials.isBlank else {
      return show(LogInForm(name: credentials.name, problem: "Enter a name and a password."), on: node)
    }
    show(LogInForm(name: credentials.name, isBusy: true), on: node)
    let answer = isSignUp ? services.client.signUp(credentials) : services.client.logIn(credentials)
    attempt = answer
    context.track(answer) { [weak self] result in
      guard let self else { return }
      let isCurrent = attempt === answer
      if isCurrent { attempt = nil }
      switch result {
      case .success(let session) where isCurrent: context.finish(session)
      case .failure(let error) where isCurrent:
        let problem =
          switch error.statusCode {
          case 401: "Wrong name or password. Try again."
          case 409: "This name is already taken. Choose another name."
          default: "\(error)"
          }
        show(LogInForm(name: credentials.name, problem: problem), on: node)
      default: show(LogInForm(name: credentials.name), on: node)
      }
    }
  }

  private func show(_ form: LogInForm, on node: NodeID) { context.apply(.update(node, to: screen(form))) }

  private func screen(_ form: LogInForm) -> DemoScreen { isSignUp ? .signUp(form) : .logIn(form) }
}

extension DemoPage {
  static func logIn(_ form: LogInForm) -> DemoPage {
    var page = credentials("Log in", form, .password)
    page.elements.append(
      .text("No account? Sign up, or use the demo account 'ayaka' with password 'tulp'.", role: .note))
    page.elements.append(.button(.init(id: "sign-up", "Sign up", .send(.openSignUp))))
    return page
  }

  static func signUp(_ form: LogInForm) -> DemoPage { credentials("Sign up", form, .newPassword) }

  /// The form for name and password, with the reason why the last attempt failed.
  private static func credentials(_ title: String, _ form: LogInForm, _ password: PageField.Autofill) -> DemoPage {
    let fields = [
      PageField("name", "Name", value: form.name, isRequired: true, autofill: .username),
      PageField("password", "Password", kind: .secret, isRequired: true, error: form.problem, autofill: password),
    ]
    let input = Form(id: "credentials", submit: title, fields: fields) { values in
      .submit(Credentials(name: values["name"], password: values["password"]))
    }
    return DemoPage(title, [.form(input)], isLoading: form.isBusy)
  }
}
