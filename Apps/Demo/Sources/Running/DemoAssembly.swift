internal import Coordinators
internal import Futures

/// What makes one of the apps, whatever shell shows it.
@MainActor
struct DemoAssembly {
  let services: Services
  let contents: ScreenContents<DemoScreen>
  private let home: Home

  init(_ home: Home, client: ContentClient, session: Session? = nil) {
    self.home = home
    let clock = ContinuousClock()
    let start = clock.now
    let services = Services(client: client, session: session) { start.duration(to: clock.now) }
    self.services = services
    contents = ScreenContents(work: services.work) { services.content(of: $0) }
  }

  /// Starts the coordinators, and follows a link.
  func start(in navigator: Navigator<DemoScreen>, at route: DemoRoute?) {
    var application: ApplicationCoordinator?
    navigator.start("application") { (presenter: DemoPresenter<Never>) in
      let made = ApplicationCoordinator(presenter, home: home, services: services)
      application = made
      return made
    }
    if let route { application?.open(route) }
  }
}
