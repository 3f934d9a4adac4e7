internal import Coordinators
internal import Futures
internal import FuturesNetworking

/// The first coordinator of the stories: the feed, its detail screens, and the log-in in front of them.
@MainActor
final class StoriesCoordinator: Coordinator {
  let context: DemoContext<Never>
  private let services: Services

  init(_ context: DemoContext<Never>, _ services: Services) {
    self.context = context
    self.services = services
  }

  func start() { context.push(.stories) }

  func receive(_ action: DemoScreen.Action) {
    switch action {
    case .open(let screen): context.push(screen)
    case .openLogIn: logIn()
    case .logOut:
      services.logOut(in: context)
      reload([.screen(.stories)])
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "log in" && context.restoreChild(name, make: makeLogIn, then: logInEnded)
  }

  /// Opens the screen of a link.
  ///
  /// Only the server knows whether a story or a message needs a log-in. If so, the link waits until the log-in ends.
  func open(_ screen: DemoScreen) {
    services.waitingLink = nil
    guard screen.home == .stories else { return }
    switch screen {
    case .story(let id) where services.session == nil:
      ask(services.client.get("stories", "\(id)") as Future<Story, NetworkError>, about: screen)
    case .message(let id) where services.session == nil:
      ask(services.client.get("messages", "\(id)") as Future<Message, NetworkError>, about: screen)
    default: context.apply(.show(screen.target))
    }
  }

  private func ask(_ answer: Future<some Sendable, NetworkError>, about screen: DemoScreen) {
    services.waitingLink = screen
    context.track(answer) { [weak self] result in
      // A newer link, or the end of a log-in, replaces this link.
      guard let self, services.waitingLink == screen else { return }
      if case .failure(let error) = result, error.isUnauthorized { logIn() } else { open(waiting: screen) }
    }
  }

  private func open(waiting screen: DemoScreen) {
    services.waitingLink = nil
    context.apply(.show(screen.target))
  }

  private func logIn() { context.startChild("log in", .modal, make: makeLogIn, then: logInEnded) }

  private func makeLogIn(_ context: DemoContext<Session>) -> LogInCoordinator { LogInCoordinator(context, services) }

  private var logInEnded: (CoordinatorResult<Session>) -> Void {
    { [weak self] result in
      guard let self else { return }
      switch result {
      case .finished(let session):
        services.session = session
        reload(context.navigation?.root.children ?? [])
        if let link = services.waitingLink { open(waiting: link) }
      case .cancelled: services.waitingLink = nil
      }
    }
  }

  /// Builds the screens again, because the session decides which content they have.
  private func reload(_ screens: [Node<DemoScreen>]) {
    guard let root = context.navigation?.root.id else { return }
    context.apply(.replace(root, with: .stack(screens).owned(by: context.id)))
  }
}

extension DemoPage {
  static func stories(_ stories: [Story], isLoggedIn: Bool) -> DemoPage {
    var page = list("Stories", stories) { story in
      let people = "\(story.sender.name) → \(story.recipient.name)"
      return .init(id: "\(story.id)", story.title, detail: people, .open(.story(story.id)))
    }
    page.elements.append(
      .button(
        isLoggedIn
          ? .init(id: "log-out", "Log out", .send(.logOut)) : .init(id: "log-in", "Log in", .send(.openLogIn))))
    return page
  }

  static func story(_ story: Story) -> DemoPage {
    DemoPage(
      story.title,
      [
        .fact(label: "Date", value: story.date),
        .row("From", detail: story.sender.name, .open(.user(story.sender.id))),
        .row("To", detail: story.recipient.name, .open(.user(story.recipient.id))),
        .text(story.message),
        .row("Messages", .open(.messages(of: story.id, title: story.title))),
      ])
  }

  static func messages(_ messages: [Message], of title: String) -> DemoPage {
    list("Messages: \(title)", messages, placeholder: "No messages yet.") {
      .init(id: "\($0.id)", $0.author.name, detail: $0.text, .open(.message($0.id)))
    }
  }

  static func message(_ message: Message) -> DemoPage {
    DemoPage(
      "Message",
      [
        .row("From", detail: message.author.name, .open(.user(message.author.id))), .text(message.text),
        .row("Story", .open(.story(message.story))),
      ])
  }

  static func user(_ user: User) -> DemoPage {
    DemoPage(user.name, [.fact(label: "Name", value: user.name), .text(user.about)])
  }
}
