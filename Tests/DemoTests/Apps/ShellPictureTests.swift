import Coordinators
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import ImageSnapshotting
import Loopback
import SnapshotAssertions
import Terminal
import TerminalSnapshotting
import Testing
import WebSnapshotting

@testable import Demo

/// The images in the README and in the documentation: one screen of the dictionary in a terminal and in a browser.
///
/// Record them with `SNAPSHOT_TESTING_RECORD=all Scripts/test --filter ShellPictureTests`.
@MainActor
@Suite("Images in the documentation")
struct ShellPictureTests {
  private static let folder = URL(fileURLWithPath: #filePath).appending(
    path: "../../../../Packages/Boundaries/Sources/Boundaries/Boundaries.docc/Resources"
  ).standardizedFileURL.path

  @Test("the images of both shells in the documentation match the program") func imagesMatchShells() async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    let session = Session(name: "ayaka", token: "what is among friends is not shown")

    let left = DemoAssembly(.dictionary, client: client, session: session)
    let terminal = TerminalApp(
      contents: left.contents, work: left.services.work, size: TerminalSize(columns: 48, rows: 18))
    left.start(in: terminal.navigator, at: nil)
    await left.services.work.settled()
    assertInlineSnapshot(of: terminal.screen, as: .text) {
      """
       Words

       de fiets        bicycle
       het brood       bread
       gezellig        cosy, sociable
       lekker          tasty, nice
       het boek        book
       het huis        house
       de kaas         cheese
       het water       water
       de regen        rain
       fietsen         to cycle
       de fietser      cyclist
       lopen           to walk
       de trein        train

       1 Words  2 Phrases
       ↑↓ move  Enter open  Tab next tab  r refresh
      """
    }
    var window = WebPage(terminal.screen)
    window.timeout = .seconds(60)
    try await check(window, "terminal")

    let right = DemoAssembly(.dictionary, client: client, session: session)
    let web = WebApp(contents: right.contents, work: right.services.work, token: "token")
    right.start(in: web.navigator, at: nil)
    await right.services.work.settled()
    var answer = await web.respond(to: WebRequest(.get, "/"))
    while let next = answer.headers["Location"] { answer = await web.respond(to: WebRequest(.get, next)) }
    var page = WebPage(html: answer.body, viewport: .init(width: 480, height: 345))
    page.timeout = .seconds(60)
    let inSight = """
      Words
      Phrases
      Words
      de fiets bicycle
      het brood bread
      gezellig cosy, sociable
      lekker tasty, nice
      het boek book

      """
    #expect(try await Snapshotting<WebPage, String>.text.snapshot(page).value().hasPrefix(inSight))
    try await check(page, "web")

    client.close()
    await server.stop(grace: .zero)
  }

  /// Compares an image with a tolerance for antialiasing, which differs between versions of the browser.
  private func check(_ page: WebPage, _ name: String) async throws {
    let picture = try await Snapshotting<WebPage, Image>.image.snapshot(page).value()
    let failure = verifySnapshot(
      of: picture, as: .image(precision: 0.99, perceptualPrecision: 0.97, ignoringAntialiasing: true), named: name,
      snapshotDirectory: Self.folder, testName: "shells")
    #expect(failure == nil)
  }
}
