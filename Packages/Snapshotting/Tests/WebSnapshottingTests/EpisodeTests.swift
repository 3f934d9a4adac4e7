import ImageSnapshotting
import SnapshotAssertions
import Testing
import WebSnapshotting

@Suite("The episode's web view", .timeLimit(.minutes(5)))
struct EpisodeTests {
  private let page = WebPage(
    html: """
      <h1>Welcome to Point-Free!</h1>
      <p>
        A Swift video series exploring functional programming and more.
      </p>
      """)

  /// Another browser version must not fail the test.
  private let strategy = Snapshotting<WebPage, Image>.image(
    precision: 0.9995, perceptualPrecision: 0.98, ignoringAntialiasing: true)

  @Test("the episode's page matches its reference")
  func webView() async {
    await expectSnapshot(of: page, as: strategy)
  }
}
