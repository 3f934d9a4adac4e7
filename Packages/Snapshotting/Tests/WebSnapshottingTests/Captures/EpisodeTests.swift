import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Testing
import WebSnapshotting

@Suite("The episode's page", .timeLimit(.minutes(2)))
struct EpisodeTests {
  private let html = """
    <h1>Welcome to Point-Free!</h1>
    <p>
      A Swift video series exploring functional programming and more.
    </p>
    """

  /// Another browser version must not fail the test.
  private let strategy = Snapshotting<WebPage, Image>.image(
    precision: 0.9995, perceptualPrecision: 0.98, ignoringAntialiasing: true)

  @Test("the episode's page matches its reference")
  func webView() async {
    await expectSnapshot(of: WebPage(html: html), as: strategy)
  }

  @Test("a changed page does not match")
  func changed() async throws {
    let page = WebPage(html: html.replacingOccurrences(of: "functional", with: "object-oriented"))
    let (old, new) = (try await picture(of: WebPage(html: html)), try await picture(of: page))
    #expect((new.width, new.height) == (640, 480))
    let (message, attachments) = try #require(strategy.diffing.diff(old, new))
    #expect(message.contains("pixels"))
    #expect(attachments.map(\.name) == ["difference.png"])
  }

  private func picture(of page: WebPage) async throws -> Image {
    try await Snapshotting<WebPage, Image>.image.snapshot(page).value()
  }
}
