internal import Coordinators
internal import CoordinatorsTerminal
internal import CoordinatorsWeb
internal import Futures

/// Builds one of the apps, for any shell.
@MainActor
struct DemoAssembly {
  let services: Services
  private let home: Home

  /// Creates the services of an app.
  ///
  /// - Parameters:
  ///   - home: The app.
  ///   - client: The client of the content server.
  ///   - session: The session of the user, or `nil` when logged out.
  ///   - clock: The clock for the expiry of links.
  ///   - now: Returns the time since a fixed instant.
  init(
    _ home: Home, client: ContentClient, session: Session? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping () -> Duration = Self.stopwatch()
  ) {
    self.home = home
    services = Services(client: client, session: session, clock: clock, now: now)
  }

  /// Returns a closure that returns the time since this call.
  nonisolated static func stopwatch() -> () -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Returns the app in a terminal, without coordinators yet.
  func terminalApp(
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), restoring navigation: Navigation<DemoScreen>? = nil
  ) -> TerminalApp<DemoScreen> {
    TerminalApp(size: size, restoring: navigation, page: services.page(of:))
  }

  /// Returns the app in a browser, without coordinators yet.
  func webApp(token: String) -> WebApp<DemoScreen> { WebApp(token: token, page: services.page(of:)) }

  /// Starts the coordinators, removes restored screens without a coordinator, and follows a link.
  ///
  /// - Parameters:
  ///   - navigator: The navigator, with or without a restored navigation.
  ///   - route: The route of the link.
  ///   - waited: The time that the link was pending in earlier runs.
  ///   - warn: Receives a warning for each discarded part of a restored navigation.
  /// - Returns: A closure that follows another link.
  @discardableResult
  func start(
    in navigator: Navigator<DemoScreen>, at route: DemoRoute?, waited: Duration = .zero,
    warn: (String) -> Void = { _ in }
  ) -> (DemoRoute) -> Void {
    let restored = navigator.navigation
    var application: ApplicationCoordinator?
    navigator.start("application") { (context: DemoContext<Never>) in
      let made = ApplicationCoordinator(context, home: home, services: services)
      application = made
      return made
    }
    if let restored, !restored.coordinators.contains("application") {
      warn(
        "Warning: Dropped all saved screens: they belong to '\(restored.root.owner)', which this version does not have."
      )
    }
    for orphan in navigator.orphans {
      warn("Warning: Dropped the screens of '\(orphan)', which this version does not have.")
    }
    if !navigator.removeOrphans() {
      warn("Warning: No saved screen is left. The app starts from the beginning.")
      // A child that is running would not be started again.
      if let root = navigator.navigation?.root, home == .stories || services.session != nil {
        navigator.apply(.replace(root.id, with: home.start))
      } else {
        application?.start()
      }
    }
    if let route { application?.open(route, waited: waited) }
    return { [weak application] in application?.open($0) }
  }
}
