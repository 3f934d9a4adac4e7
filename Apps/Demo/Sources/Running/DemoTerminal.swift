internal import Coordinators
internal import CoordinatorsTerminal
internal import Terminal

/// One of the apps in a terminal, or driven by a script.
@MainActor
struct DemoTerminal {
  private let app: TerminalApp<DemoScreen>

  init(_ options: AppsOptions, client: ContentClient, file: StateFile?, state: DemoState?) {
    let assembly = DemoAssembly(options.home, client: client, session: state?.session)
    app = TerminalApp(
      contents: assembly.contents, work: assembly.services.work,
      size: TerminalSize(columns: options.size.columns, rows: options.size.rows), restoring: state?.navigation)
    if let file {
      let (home, services) = (options.home, assembly.services)
      app.onChange = { file.write(DemoState(home: home, session: services.session, navigation: $0)) }
    }
    assembly.start(in: app.navigator, at: options.route)
  }

  /// What is on the screen.
  var text: String { app.screen.text }

  func run(_ script: TerminalScript) async -> TerminalEnding? { await app.run(script) }

  func run(on device: TerminalDevice) async throws -> TerminalEnding { try await app.run(on: device) }
}
