internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Terminal

/// One of the apps in a terminal.
@MainActor
final class DemoTerminal {
  private let app: TerminalApp<DemoScreen>
  private let services: Services
  private let options: AppsOptions
  private weak var application: ApplicationCoordinator?

  init(
    _ options: AppsOptions, client: ContentClient, file: StateFile?, state: DemoState?, warn: @escaping (String) -> Void
  ) {
    self.options = options
    let clock = ContinuousClock()
    let start = clock.now
    let services = Services(client: client, session: state?.session) { start.duration(to: clock.now) }
    self.services = services
    app = TerminalApp(
      contents: ScreenContents(work: services.work) { [unowned services] in services.content(of: $0) },
      work: services.work, size: TerminalSize(columns: options.size.columns, rows: options.size.rows),
      restoring: state?.navigation)
    if let file {
      app.onChange = { navigation in
        file.write(DemoState(home: options.home, session: services.session, navigation: navigation))
      }
    }
    app.navigator.start("application") { (presenter: DemoPresenter<Never>) in
      let application = ApplicationCoordinator(presenter, home: options.home, services: services)
      self.application = application
      return application
    }
    if let route = options.route { application?.open(route) }
  }

  /// What is on the screen.
  var text: String { app.screen.text }

  func run(_ script: TerminalScript) async -> TerminalEnding? { await app.run(script) }

  func run(on device: TerminalDevice) async throws -> TerminalEnding { try await app.run(on: device) }
}
