import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Testing
import WebSnapshotting

/// A site with style sheets, a web font, SVG, a canvas, lazy images, frames and animations.
@Suite("A complete site", .timeLimit(.minutes(2)))
struct SiteTests {
  private let page: WebPage

  init() throws {
    let site = try #require(Bundle.module.url(forResource: "Site", withExtension: nil))
    let base = try #require(URL(string: "https://coast.example/"))
    let types = [
      "css": "text/css", "js": "text/javascript", "html": "text/html", "svg": "image/svg+xml", "ttf": "font/ttf",
    ]
    var responses: [URL: WebPage.Response] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: site.path) {
      let type = try #require(types[URL(fileURLWithPath: name).pathExtension])
      let data = try Data(contentsOf: site.appending(path: name))
      responses[base.appending(path: name)] = WebPage.Response(data, type: type)
    }
    page = WebPage(
      .url(base.appending(path: "index.html")), viewport: .init(width: 640, height: 640),
      network: .responses(responses), masks: [".advert"])
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

  @Test("repeated images of a site are identical")
  func same() async throws {
    let first = try await Browser.shared.png(of: page)
    for _ in 0..<2 { #expect(try await Browser.shared.png(of: page) == first) }
  }

  @Test("concurrent images of a site are identical")
  func several() async throws {
    let expected = try await Browser.shared.png(of: page)
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<6 { group.addTask { [page] in try await Browser.shared.png(of: page) } }
      for try await picture in group { #expect(picture == expected) }
    }
  }

  @Test("an image of the whole page includes lazy images")
  func fullPage() async throws {
    var whole = page
    whole.area = .fullPage
    let picture = try Image(png: try await Browser.shared.png(of: whole))
    #expect(picture.width == 640 && picture.height > 4_000)
    let orange = Image.Pixel(red: 0xEE, green: 0x55, blue: 0x22, alpha: 255)
    let isThere = (picture.height - 300..<picture.height).contains { y in picture[18, y] == orange }
    #expect(isThere)
  }

  @Test("an image of one element has its size")
  func element() async throws {
    var end = page
    end.area = .element("#end")
    let picture = try Image(png: try await Browser.shared.png(of: end))
    #expect(picture.width == 216)
    #expect(picture[2, 2] == Image.Pixel(red: 0x22, green: 0x44, blue: 0x66, alpha: 255))
  }

  @Test("a mask covers its element, and a web font is used")
  func maskAndFont() async throws {
    var advert = page
    advert.area = .element(".advert")
    let picture = try Image(png: try await Browser.shared.png(of: advert))
    #expect(
      picture.pixels.count > 4
        && stride(from: 0, to: picture.pixels.count, by: 4).allSatisfy {
          picture.pixels[$0...].prefix(3) == [255, 0, 255]
        })
    advert.masks = []
    advert.area = .element(".bars")
    let bars = try Image(png: try await Browser.shared.png(of: advert))
    // Five letters of one em.
    #expect(bars.width == 120)
  }

  @Test("text, document and console of a site match their references")
  func texts() async throws {
    let random = try Redaction(pattern: #"0\.\d+"#, with: "<random>")
    await expectSnapshot(of: page, as: .text.redacting(random))
    await expectSnapshot(of: page, as: .dom.redacting(random))
    await expectSnapshot(of: page, as: .console)
  }

  @Test("finite animations are at their end and others are cancelled, unless animations run")
  func animations() async throws {
    let html = """
      <style>
        div { width: 50px; height: 50px; background: red } #a { animation: move 600s forwards } #b { animation: move 600s infinite }
        #c { transition: margin-left 600s } @keyframes move { to { margin-left: 100px } }
      </style><div id=a></div><div id=b></div><div id=c></div>
      <script>getComputedStyle(c).marginLeft; c.style.marginLeft = '100px'</script>
      """
    var page = WebPage(html: html, viewport: .init(width: 300, height: 170))
    let red = Image.Pixel(red: 255, green: 0, blue: 0, alpha: 255)
    let still = try Image(png: try await Browser.shared.png(of: page))
    #expect(still[110, 20] == red && still[20, 70] == red && still[20, 20] != red && still[140, 120] == red)
    page.animates = true
    let moving = try Image(png: try await Browser.shared.png(of: page))
    #expect(moving[20, 20] == red && moving[140, 120] != red)
  }

  @Test("a capture waits for its conditions")
  func readiness() async throws {
    let html = "<body><script>setTimeout(() => { document.body.innerHTML = '<p id=late>Late' }, 30)</script>"
    var page = WebPage(html: html)
    page.readiness = [.selector("#late")]
    #expect(try await Browser.shared.text(of: page) == "Late")
    page.readiness = [.predicate("document.getElementById('late')?.innerText === 'Late'")]
    #expect(try await Browser.shared.text(of: page) == "Late")
    // A promise is awaited, and the expression may end with a comment.
    page.readiness = [
      .predicate("new Promise((resolve) => resolve(document.getElementById('late') !== null)) // it is late"),
      .predicate("await Promise.resolve(true)"),
    ]
    #expect(try await Browser.shared.text(of: page) == "Late")
    page.content = .html(
      "<div id=a></div><script>setTimeout(() => { a.attachShadow({ mode: 'open' }).innerHTML = '<p id=late>Late' }, 30)</script>",
      baseURL: nil)
    page.readiness = [.selector("#late")]
    #expect(try await Browser.shared.dom(of: page).contains("Late"))
    page = WebPage(html: "<p>Still")
    page.readiness = [.stableImages(3), .networkIdle(for: .milliseconds(1)), .fonts]
    #expect(try await Browser.shared.text(of: page) == "Still")
  }
}
