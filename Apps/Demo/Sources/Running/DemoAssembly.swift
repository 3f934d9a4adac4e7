internal import Coordinators
internal import Futures

/// What makes one of the apps, whatever shell shows it.
@MainActor
struct DemoAssembly {
  let services: Services
  let contents: ScreenContents<DemoScreen>
  private let home: Home

  /// Prepares an app.
  ///
  /// - Parameters:
  ///   - home: Which one.
  ///   - client: The content server.
  ///   - session: Who is logged in.
  ///   - clock: What wakes it when the time of a link is over.
  ///   - now: The time since some fixed instant.
  init(
    _ home: Home, client: ContentClient, session: Session? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping () -> Duration = Self.stopwatch()
  ) {
    self.home = home
    let services = Services(client: client, session: session, clock: clock, now: now)
    self.services = services
    contents = ScreenContents(work: services.work) { services.content(of: $0) }
  }

  /// The time since it was made.
  nonisolated static func stopwatch() -> () -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Starts the coordinators, sees to it that each screen there is has one, and follows a link.
  ///
  /// - Parameters:
  ///   - navigator: Where; with a restored navigation or none.
  ///   - route: Where the link leads.
  ///   - waited: How long the link has waited already, in an earlier run.
  ///   - warn: Hears what of a restored navigation is not kept.
  /// - Returns: Follows another link, whenever one comes.
  @discardableResult
  func start(
    in navigator: Navigator<DemoScreen>, at route: DemoRoute?, waited: Duration = .zero,
    warn: (String) -> Void = { _ in }
  ) -> (DemoRoute) -> Void {
    let restored = navigator.navigation
    var application: ApplicationCoordinator?
    navigator.start("application") { (presenter: DemoPresenter<Never>) in
      let made = ApplicationCoordinator(presenter, home: home, services: services)
      application = made
      return made
    }
    if let restored, !restored.coordinators.contains("application") {
      warn(
        "Warning: Dropped all that was kept: it belongs to '\(restored.root.owner)', which this version does not have.")
    }
    for orphan in navigator.orphans {
      warn("Warning: Dropped what belongs to '\(orphan)', which this version does not have.")
    }
    if !navigator.removeOrphans() {
      warn("Warning: Nothing is left in its place, so it starts anew.")
      application?.start()
    }
    if let route { application?.open(route, waited: waited) }
    return { [weak application] in application?.open($0) }
  }
}
