internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Terminal

/// Shows one of the apps in a terminal, or drives it by a script.
@MainActor
struct DemoTerminal {
  private let app: TerminalApp<DemoScreen>

  init(
    _ options: AppsOptions, client: ContentClient, file: StateFile?, state: DemoState?, warn: (String) -> Void
  ) {
    let assembly = DemoAssembly(options.home, client: client, session: state?.session)
    app = assembly.terminalApp(
      size: TerminalSize(columns: options.size.columns, rows: options.size.rows), restoring: state?.navigation)
    if let file {
      let (home, server, services, navigator) = (options.home, options.server?.name, assembly.services, app.navigator)
      let keep = { (navigation: Navigation<DemoScreen>?) in
        let deadline = services.waitingLink.map { Date() + ($0.deadline - services.now()) / .seconds(1) }
        file.write(
          DemoState(
            home: home, session: services.session, of: server, link: services.waitingLink?.route, until: deadline,
            navigation: navigation))
      }
      app.onChange = { keep($0) }
      services.onWaitingLink = { [weak navigator] in keep(navigator?.navigation) }
    }
    // A new link replaces the pending link of the earlier run.
    assembly.start(
      in: app.navigator, at: options.route ?? state?.link,
      waited: options.route == nil ? state?.waited(at: Date()) ?? .zero : .zero, warn: warn)
  }

  /// Returns the text of the screen, styled if the capability allows colours.
  func text(color: ColorCapability) -> String { color == .none ? app.screen.text : app.screen.styledText(color: color) }

  /// Sends the keys of a script to the app.
  ///
  /// - Throws: ``Interrupted`` after a signal, since the screen is then incomplete.
  func run(_ script: TerminalScript, until interrupts: InterruptHandler) async throws -> TerminalEnding? {
    try await interrupts.cancelling {
      let ending = await app.run(script)
      try Task.checkCancellation()
      return ending
    }
  }

  func run(on device: TerminalDevice, color: ColorCapability) async throws -> TerminalEnding {
    try await app.run(on: device, color: color)
  }
}
