internal import CoordinatorsTerminal
internal import ImageSnapshotting
internal import Loopback
internal import Parallel
internal import Snapshotting
internal import TerminalSnapshotting

extension Station {
  static let screens = Station(
    title: "Two apps in a terminal", packages: ["Coordinators", "Snapshotting"],
    about: "Runs two apps with a script of keys, and captures each screen as a value."
  ) { tour in
    let scripts: [(Home, String, expected: String)] = [
      (.dictionary, "'ayaka' tab 'tulp' enter down enter", "English  bread"),
      (.stories, "down enter", "Row 13, you were right."),
    ]
    return try await HTTPServer.start(ContentServer().router).use { server in
      var exhibits: [TourExhibit] = []
      for (home, keys, expected) in scripts {
        let client = ContentClient(server: server.url, within: .seconds(30))
        let screen = try await Self.screen(of: await DemoApp(home, client: client), after: TerminalScript(keys))
        try tour.require(
          screen.text.contains(expected),
          "Expected '\(expected)' on the screen of \(home) after \(keys), got:\n\(screen.text)")
        exhibits.append(.text("demo \(home.rawValue), after \(keys)", screen.text))
        if let browser = tour.browser {
          let picture = try await Snapshotting<Screen, Image>.image(in: browser).snapshot(screen).value()
          exhibits.append(.picture("The same screen as a picture", png: try picture.pngData()))
        }
      }
      return TourVisit(
        summary: "2 apps, \(scripts.count) screens as text" + (tour.browser == nil ? "" : " and pictures"),
        exhibits: exhibits)
    }
  }

  @MainActor
  private static func screen(of app: DemoApp, after script: TerminalScript) async -> Screen {
    let terminal = app.terminal(size: TerminalSize(columns: 54, rows: 14))
    app.start(in: terminal.navigator, at: nil)
    _ = await terminal.run(script)
    return terminal.screen
  }
}
