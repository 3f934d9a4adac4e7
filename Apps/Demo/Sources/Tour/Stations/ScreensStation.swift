internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import ImageSnapshotting
internal import Parallel
internal import Snapshotting
internal import Terminal
internal import TerminalSnapshotting

extension TourContext {
  /// Runs both apps with scripted keys.
  @MainActor
  func screens() async throws -> TourVisit {
    let scripts: [(Home, String, expected: String)] = [
      (.dictionary, "'ayaka' tab 'tulp' enter down enter", "English  bread"),
      (.stories, "down enter", "Row 13, you were right."),
    ]
    return try await with(ContentServer.router(try Library.bundled())) { server in
      let client = ContentClient(server: server, within: .seconds(30))
      defer { client.close() }
      var exhibits: [TourExhibit] = []
      for (home, keys, expected) in scripts {
        let assembly = DemoAssembly(home, client: client)
        let app = assembly.terminalApp(size: TerminalSize(columns: 60, rows: 14))
        assembly.start(in: app.navigator, at: nil)
        let script = try TerminalScript(keys)
        await withTaskCancellationHandler {
          _ = await app.run(script)
        } onCancel: {
          client.close()
        }
        let screen = app.screen
        try require(
          screen.text.contains(expected),
          "Expected '\(expected)' on the screen of \(home) after \(keys), got:\n\(screen.text)")
        exhibits.append(.text("demo \(home.rawValue), after \(keys)", screen.text))
        if let browser {
          let picture = try await Snapshotting<Screen, Image>.image(in: browser).snapshot(screen).value()
          exhibits.append(.picture("The same screen as a picture", png: try picture.pngData()))
        }
      }
      return TourVisit(
        summary: "2 apps, \(scripts.count) screens as text" + (browser == nil ? "" : " and pictures"),
        exhibits: exhibits)
    }
  }
}
