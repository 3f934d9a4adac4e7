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
  ///   - now: The time since some fixed instant.
  init(_ home: Home, client: ContentClient, session: Session? = nil, now: @escaping () -> Duration = Self.stopwatch()) {
    self.home = home
    let services = Services(client: client, session: session, now: now)
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
  ///   - warn: Hears what of a restored navigation is not kept.
  func start(in navigator: Navigator<DemoScreen>, at route: DemoRoute?, warn: (String) -> Void = { _ in }) {
    let restored = navigator.navigation
    var application: ApplicationCoordinator?
    navigator.start("application") { (presenter: DemoPresenter<Never>) in
      let made = ApplicationCoordinator(presenter, home: home, services: services)
      application = made
      return made
    }
    if let restored, !restored.coordinators.contains("application") {
      warn("Dropped all that was kept: it belongs to '\(restored.root.owner)', which this version does not have.")
    }
    for orphan in orphans(in: navigator) {
      warn("Dropped what belongs to '\(orphan)', which this version does not have.")
      navigator.apply(.remove(orphan))
    }
    if !orphans(in: navigator).isEmpty {
      warn("Nothing is left in its place, so it starts anew.")
      application?.start()
    }
    if let route { application?.open(route) }
  }

  /// The coordinators that have screens and are not there, as an earlier version may have left them.
  ///
  /// Of those below each other, the uppermost. Their screens would do nothing.
  private func orphans(in navigator: Navigator<DemoScreen>) -> [CoordinatorID] {
    let missing = (navigator.navigation?.coordinators ?? []).subtracting(navigator.coordinators)
    return missing.filter { id in !missing.contains { $0 != id && $0.contains(id) } }.sorted { $0.path < $1.path }
  }
}
