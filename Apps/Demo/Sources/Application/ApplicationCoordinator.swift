internal import Coordinators
internal import Futures

/// The root of both apps: application → (log in | sign up) or dictionary; application → stories, with the log-in above.
///
/// A link that needs a log-in waits in a slot until there is one.
@MainActor
final class ApplicationCoordinator: Coordinator {
  /// What can be in the way of a link.
  enum Obstacle: Hashable, Sendable {
    case loggedOut
    /// The server says that this one is not for everybody.
    case friendsOnly(DemoRoute)
  }

  let presenter: DemoPresenter<Never>
  private let home: Home
  private let services: Services
  private var links: PendingLink<DemoRoute, Obstacle>
  private var question: Future<Story, ClientError>?
  private weak var stories: StoriesCoordinator?

  init(_ presenter: DemoPresenter<Never>, home: Home, services: Services) {
    self.presenter = presenter
    self.home = home
    self.services = services
    links = PendingLink(obstacles: services.session == nil ? [.loggedOut] : []) { route, obstacle in
      switch obstacle {
      case .loggedOut: route.home == .dictionary ? .hold(atMost: Self.patience) : .deliver
      case .friendsOnly(let other): route == other ? .hold(atMost: Self.patience) : .deliver
      }
    }
  }

  deinit { question?.cancel() }

  /// How long a link waits for a log-in.
  nonisolated static let patience = Duration.seconds(600)

  func start() {
    switch home {
    case .stories: startStories()
    case .dictionary: if services.session == nil { logIn() } else { startDictionary() }
    }
  }

  func adopt(_ name: String) -> Bool {
    switch name {
    case "log in":
      presenter.adopt(name) {
        LogInCoordinator($0, self.services)
      } then: { [weak self] in
        self?.logInEnded($0)
      }
    case "dictionary":
      presenter.adopt(name) {
        DictionaryCoordinator($0)
      } then: { [weak self] in
        self?.dictionaryEnded($0)
      }
    case "stories":
      presenter.adopt(name) { self.makeStories($0) }
    default: false
    }
  }

  private func startStories() {
    presenter.start("stories", .root) { self.makeStories($0) }
  }

  private func makeStories(_ presenter: DemoPresenter<Never>) -> StoriesCoordinator {
    let stories = StoriesCoordinator(presenter, services) { [weak self] in self?.hear($0) }
    self.stories = stories
    return stories
  }

  private func startDictionary() {
    presenter.start("dictionary", .root) {
      DictionaryCoordinator($0)
    } then: { [weak self] in
      self?.dictionaryEnded($0)
    }
  }

  private func logIn() {
    presenter.start("log in", .root) {
      LogInCoordinator($0, self.services)
    } then: { [weak self] in
      self?.logInEnded($0)
    }
  }

  private func logInEnded(_ result: CoordinatorResult<Session>) {
    if case .finished(let session) = result { loggedIn(session) }
  }

  private func loggedIn(_ session: Session) {
    services.session = session
    if home == .dictionary { startDictionary() } else { reload() }
    let obstacles = links.obstacles
    for obstacle in obstacles { follow(links.remove(obstacle, at: services.now())) }
  }

  private func dictionaryEnded(_ result: CoordinatorResult<Void>) {
    guard case .finished = result else { return }
    services.session = nil
    follow(links.add(.loggedOut, at: services.now()))
    logIn()
  }

  private func hear(_ event: StoriesCoordinator.Event) {
    switch event {
    case .loggedIn(let session): loggedIn(session)
    case .logOut:
      services.session = nil
      follow(links.add(.loggedOut, at: services.now()))
      reload()
    }
  }

  /// Who sees what has changed, so the feed is made anew.
  private func reload() {
    guard let root = presenter.navigation?.root else { return }
    let below: [Blueprint<DemoScreen>] = root.children.map { .screen($0.screen ?? .stories) }
    let shown = services.session == nil ? [.screen(.stories)] : below
    presenter.apply(.replace(root.id, with: .stack(shown).owned(by: presenter.id.child("stories"))))
  }
}

extension ApplicationCoordinator {
  /// Goes where a link leads, once what it needs is there.
  func open(_ route: DemoRoute) {
    guard case .story(let id) = route, services.session == nil else { return receive(route) }
    // Whether a story is for everybody is the server's to say.
    services.waitingLink = route
    question = services.work.track(services.client.get("stories", "\(id)")) { [weak self] result in
      guard let self else { return }
      // Somebody may have logged in while the server was asked.
      if case .failure(.logInNeeded) = result, services.session == nil {
        follow(links.add(.friendsOnly(route), at: services.now()))
      }
      receive(route)
    }
  }

  private func receive(_ route: DemoRoute) { follow(links.receive(route, at: services.now())) }

  private func follow(_ events: [PendingLink<DemoRoute, Obstacle>.Event]) {
    services.waitingLink = links.route
    for event in events {
      switch event {
      case .delivered(let route): presenter.apply(.show(route.target))
      case .held: stories?.logIn()
      case .rejected(let route, let reasons): tell(route, reasons.joined(separator: " "))
      case .expired(let route):
        let minutes = Self.patience.components.seconds / 60
        tell(route, "It waited for a log-in, for longer than \(minutes) minutes. Open it again.")
      // A person who opens another link means that one.
      case .replaced: break
      }
    }
  }

  /// Says why a link leads nowhere, in front of what is shown.
  private func tell(_ route: DemoRoute, _ reason: String) {
    guard let root = presenter.navigation?.root.id else { return }
    let link = (try? DemoRoute.links.link(to: route)) ?? "\(route)"
    presenter.apply(.present(.stack([.screen(.notice("\(link) was not followed. \(reason)"))]), over: root))
  }
}
