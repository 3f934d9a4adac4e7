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

/// The images in the README and in the documentation: one screen of the dictionary in a terminal and in a browser, and the
/// beginning of the tour's report.
///
/// Record them with `SNAPSHOT_TESTING_RECORD=all Scripts/test --filter ShellPictureTests`.
@MainActor
@Suite("Images in the documentation")
struct ShellPictureTests {
  private static let folder = URL(fileURLWithPath: #filePath).appending(
    path: "../../../../Packages/Boundaries/Sources/Boundaries/Boundaries.docc/Resources"
  ).standardizedFileURL.path

  @Test("the images of both shells in the documentation match the program") func imagesMatchShells() async throws {
    let server = try await HTTPServer.start(ContentServer().router)
    let client = ContentClient(server: server.url, within: .seconds(60))
    let session = Session(name: "ayaka", token: "unused")

    let left = DemoApp(.dictionary, client: client, session: session)
    let terminal = left.terminal(size: TerminalSize(columns: 48, rows: 18))
    left.start(in: terminal.navigator, at: nil)
    await terminal.navigator.waitUntilIdle()
    var window = WebPage(terminal.screen)
    window.timeout = .seconds(60)
    try await check(window, "terminal")

    let right = DemoApp(.dictionary, client: client, session: session)
    let web = right.web()
    right.start(in: web.navigator, at: nil)
    await web.navigator.waitUntilIdle()
    var answer = await web.respond(to: WebRequest("GET", "/"))
    while let next = answer.headers["Location"] { answer = await web.respond(to: WebRequest("GET", next)) }
    var page = WebPage(html: answer.body, viewport: .init(width: 480, height: 345))
    page.timeout = .seconds(60)
    try await check(page, "web")

    await server.stop(grace: .zero)
  }

  @Test("the image of the report in the README matches the program") func imageMatchesReport() async throws {
    let results: [(Int, String)] = [
      (116, "8 birds, 57376 bytes of pictures"), (128, "24 requests, at most 4 at a time; the faster of two won"),
      (713, "taken once over TLS, despite 3 faults"),
      (374, "killed while taking; finished with the same idempotency key"),
      (349, "2 apps, 2 screens as text and pictures"), (814, "3 pages in a real browser"),
      (116, "2 changes found and marked"), (101, "50 simulations, 518 operations, no violations"),
    ]
    let stops = zip(Station.all, results).map { station, result in
      TourStop(
        station: station, time: .milliseconds(result.0),
        outcome: .success(TourVisit(summary: result.1, exhibits: [])))
    }
    let report = TourReport(stops: stops, time: .milliseconds(2_959), seed: 7, isFast: false)
    var page = WebPage(html: report.html, viewport: .init(width: 980, height: 620))
    page.timeout = .seconds(60)
    try await check(page, "report", testName: "tour")
  }

  /// Compares an image with a tolerance for antialiasing, which differs between versions of the browser.
  private func check(_ page: WebPage, _ name: String, testName: String = "shells") async throws {
    let picture = try await Snapshotting<WebPage, Image>.image.snapshot(page).value()
    let failure = verifySnapshot(
      of: picture, as: .image(precision: 0.99, perceptualPrecision: 0.97, ignoringAntialiasing: true), named: name,
      snapshotDirectory: Self.folder, testName: testName)
    #expect(failure == nil)
  }
}
