internal import Coordinators
internal import Futures

/// The root coordinator of both apps.
///
/// The dictionary starts with the log-in. The stories show the log-in as a modal. A link that needs a log-in waits for it.
/// A link that would replace a form with unsaved input is rejected.
@MainActor
final class ApplicationCoordinator: Coordinator {
  /// A reason not to follow a link yet.
  enum Obstacle: Hashable, Sendable {
    case loggedOut
    /// The server requires a log-in for this route.
    case friendsOnly(DemoRoute)
    /// This route would replace a sign-up form with unsaved input.
    case unsavedChanges(DemoRoute)
  }

  let context: DemoContext<Never>
  private let home: Home
  private let services: Services
  private var links: PendingLink<DemoRoute, Obstacle>
  /// Cancels the request in flight.
  private var endQuestion: @Sendable () -> Void = {}
  /// The link that the request in flight is about.
  private var asked: Services.WaitingLink?
  private var count = 0
  private var alarm: Task<Void, Never>?
  private weak var stories: StoriesCoordinator?

  init(_ context: DemoContext<Never>, home: Home, services: Services) {
    self.context = context
    self.home = home
    self.services = services
    links = Self.slot(services.session == nil ? [.loggedOut] : [])
  }

  deinit {
    endQuestion()
    alarm?.cancel()
  }

  private static func slot(_ obstacles: Set<Obstacle>) -> PendingLink<DemoRoute, Obstacle> {
    PendingLink(obstacles: obstacles) { route, obstacle in
      switch obstacle {
      case .loggedOut: route.home == .dictionary ? .hold(atMost: patience) : .deliver
      case .friendsOnly(let other): route == other ? .hold(atMost: patience) : .deliver
      case .unsavedChanges(let other):
        route == other
          ? .reject(reason: "the sign-up form has unsaved input. Submit or close the form, then open the link again.")
          : .deliver
      }
    }
  }

  /// The maximum time that a link is pending.
  nonisolated static let patience = Duration.seconds(600)

  func start() {
    switch home {
    case .stories: startStories()
    case .dictionary: if services.session == nil { logIn() } else { startDictionary() }
    }
  }

  func restoreChild(_ name: String) -> Bool {
    switch name {
    case "log in" where home == .dictionary:
      context.restoreChild(name) {
        LogInCoordinator($0, self.services)
      } then: { [weak self] in
        self?.logInEnded($0)
      }
    case "dictionary" where home == .dictionary:
      context.restoreChild(name) {
        DictionaryCoordinator($0)
      } then: { [weak self] in
        self?.dictionaryEnded($0)
      }
    case "stories" where home == .stories:
      context.restoreChild(name) { self.makeStories($0) }
    default: false
    }
  }

  private func startStories() {
    context.startChild("stories", .root) { self.makeStories($0) }
  }

  private func makeStories(_ context: DemoContext<Never>) -> StoriesCoordinator {
    let stories = StoriesCoordinator(context, services) { [weak self] in self?.hear($0) }
    self.stories = stories
    return stories
  }

  private func startDictionary() {
    context.startChild("dictionary", .root) {
      DictionaryCoordinator($0)
    } then: { [weak self] in
      self?.dictionaryEnded($0)
    }
  }

  private func logIn() {
    context.startChild("log in", .root) {
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
    services.logOut(in: context)
    follow(links.add(.loggedOut, at: services.now()))
    logIn()
  }

  private func hear(_ event: StoriesCoordinator.Event) {
    switch event {
    case .loggedIn(let session): loggedIn(session)
    case .logInClosed: forget()
    case .logOut:
      services.logOut(in: context)
      follow(links.add(.loggedOut, at: services.now()))
      reload()
    }
  }

  /// Rebuilds the feed, because the session decides which stories it lists.
  private func reload() {
    guard let root = context.navigation?.root else { return }
    let below: [Blueprint<DemoScreen>] = root.children.map { .screen($0.screen ?? .stories) }
    let shown = services.session == nil ? [.screen(.stories)] : below
    context.apply(.replace(root.id, with: .stack(shown).owned(by: context.id.child("stories"))))
  }
}

extension ApplicationCoordinator {
  /// Follows a link as soon as it is allowed.
  ///
  /// - Parameters:
  ///   - route: The route of the link.
  ///   - waited: The time that the link was pending in earlier runs.
  func open(_ route: DemoRoute, waited: Duration = .zero) {
    endQuestion()
    asked = nil
    count += 1
    guard services.session == nil else { return receive(route, waited) }
    // Only the server knows whether a story or a message needs a log-in.
    switch route {
    case .story(let id): ask(services.client.get("stories", "\(id)") as Future<Story, ClientError>, route, waited)
    case .message(let id): ask(services.client.get("messages", "\(id)") as Future<Message, ClientError>, route, waited)
    case .stories, .user, .words, .word, .search, .phrases, .phrase: receive(route, waited)
    }
  }

  private func ask<Content: Sendable>(_ answer: Future<Content, ClientError>, _ route: DemoRoute, _ waited: Duration) {
    asked = Services.WaitingLink(route: route, deadline: services.now() + Self.patience - waited)
    tellWaitingLink()
    endQuestion = { answer.cancel() }
    context.track(answer) { [weak self, count] result in
      // Ignore the response if a newer link was opened.
      guard let self, count == self.count else { return }
      if case .failure(.cancelled) = result { return }
      asked = nil
      // The user may have logged in during the request.
      if case .failure(.logInNeeded) = result, services.session == nil {
        follow(links.add(.friendsOnly(route), at: services.now()))
      }
      receive(route, waited)
    }
  }

  private func receive(_ route: DemoRoute, _ waited: Duration) {
    let obstacle = Obstacle.unsavedChanges(route)
    // A pending link does not change the screens yet.
    if !isHeld(route), hasUnsavedChanges { follow(links.add(obstacle, at: services.now())) }
    follow(links.receive(route, at: services.now() - waited))
    follow(links.remove(obstacle, at: services.now()))
  }

  /// Drops the pending link when the user closes the log-in.
  private func forget() {
    guard links.route != nil else { return }
    links = Self.slot(links.obstacles.intersection([.loggedOut]))
    follow([])
  }

  /// Schedules the expiry of the pending link.
  private func setAlarm() {
    alarm?.cancel()
    guard let deadline = links.deadline else { return }
    alarm = alarm(after: max(deadline - services.now(), .zero), on: services.clock)
  }

  private func alarm<C: Clock<Duration>>(after time: Duration, on clock: C) -> Task<Void, Never> {
    // Computed here, so that a late start of the task does not extend it.
    let deadline = clock.now.advanced(by: time)
    return Task { [weak self] in
      guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil, let self else { return }
      follow(links.advance(to: services.now()))
    }
  }

  private func isHeld(_ route: DemoRoute) -> Bool {
    links.obstacles.contains(.friendsOnly(route)) || (route.home == .dictionary && links.obstacles.contains(.loggedOut))
  }

  /// Whether a sign-up form has unsaved input.
  private var hasUnsavedChanges: Bool {
    var found = false
    context.navigation?.root.forEach { node in
      if case .signUp(let form)? = node.screen, !form.name.isEmpty || form.hasPassword { found = true }
    }
    return found
  }

  /// Publishes the pending link.
  ///
  /// A link whose request is in flight is newer than the link in `links`.
  private func tellWaitingLink() {
    let held = links.route.flatMap { route in
      links.deadline.map { Services.WaitingLink(route: route, deadline: $0) }
    }
    services.waitingLink = asked ?? held
  }

  private func follow(_ events: [PendingLink<DemoRoute, Obstacle>.Event]) {
    tellWaitingLink()
    setAlarm()
    for event in events {
      switch event {
      case .delivered(let route): context.apply(.show(route.target))
      case .held: stories?.logIn()
      case .rejected(let route, let reasons): tell(route, reasons.joined(separator: " "))
      case .expired(let route):
        let minutes = Self.patience.components.seconds / 60
        tell(route, "it waited more than \(minutes) minutes for a log-in. Open it again.")
      case .replaced: break
      }
    }
  }

  /// Shows a notice in front of all screens that explains why a link was not opened; replaces an earlier notice there.
  private func tell(_ route: DemoRoute, _ reason: String) {
    guard let navigation = context.navigation else { return }
    let link = (try? DemoRoute.links.link(to: route)) ?? "\(route)"
    let notice = DemoScreen.notice("Cannot open \(link): \(reason)")
    if case .notice? = navigation.front.screen { return context.apply(.update(navigation.front.id, to: notice)) }
    // Over the topmost modal: a node presents at most one modal.
    let front = navigation.frontPath.last { $0.modal != nil }?.modal ?? navigation.root
    context.apply(.present(.stack([.screen(notice)]).owned(by: context.id), over: front.id))
  }
}
