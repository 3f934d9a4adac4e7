import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Testing
import WebSnapshotting

/// A site with style sheets, a web font, SVG, a canvas, lazy images, frames and animations.
@Suite("A complete site", .timeLimit(.minutes(5)))
struct SiteTests {
  private let page: WebPage

  init() throws {
    let site = try #require(Bundle.module.url(forResource: "Site", withExtension: nil))
    let base = try #require(URL(string: "https://coast.example/"))
    let types = [
      "css": "text/css", "js": "text/javascript", "html": "text/html", "svg": "image/svg+xml", "ttf": "font/ttf",
      "webm": "video/webm",
    ]
    var responses: [URL: WebPage.Response] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: site.path) {
      let type = try #require(types[URL(fileURLWithPath: name).pathExtension])
      let data = try Data(contentsOf: site.appending(path: name))
      responses[base.appending(path: name)] = WebPage.Response(data, type: type)
    }
    var page = WebPage(
      .url(base.appending(path: "index.html")), viewport: .init(width: 640, height: 640), network: .responses(responses)
    )
    page.masks = [".advert"]
    self.page = page
  }

  /// Each part of the page has more than 200 pixels, the maximum number that may differ.
  private let similar = Snapshotting<WebPage, Image>.image(
    precision: 0.9995, perceptualPrecision: 0.97, ignoringAntialiasing: true)

  @Test("images of a site, light and dark, match their references")
  func picture() async {
    await expectSnapshot(of: page, as: similar, named: "light")
    var dark = page
    dark.appearance = .dark
    await expectSnapshot(of: dark, as: similar, named: "dark")
  }

  @Test("a web font is used")
  func font() async throws {
    var bars = page
    (bars.masks, bars.area) = ([], .element(".bars"))
    // Five letters of one em.
    #expect(try Image(png: try await Browser.shared.png(of: bars)).width == 120)
  }

  @Test("the text of a site matches its reference")
  func texts() async throws {
    let random = Redaction("random numbers") { $0.replacing(/0\.\d+/, with: "<random>") }
    await expectSnapshot(of: page, as: .text.redacting(random))
  }
}
