import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Testing

@testable import WebSnapshotting

/// Pages of each kind, with a reference for each.
///
/// The references were recorded by other processes, so an equal image shows that nothing depends on the process, the time or the machine.
@Suite("Kinds of pages", .timeLimit(.minutes(5)))
struct PagesTests {
  private static let box = "width:40px;height:30px;background:#00f"
  private static let chapters = (0..<40).map {
    "<section id=s\($0) style='content-visibility:auto'><h2>Chapter \($0)</h2></section>"
  }.joined()
  /// The elements of a shell of an app: a bar, and a list that scrolls.
  private static let shell = """
    <body style='margin:0;height:100vh;display:flex;flex-direction:column'><header style='background:#ddd'>Birds</header>
    <main style='flex:1;overflow:auto'>\((0..<30).map { "<p>Bird \($0)</p>" }.joined())</main><footer>End</footer>
    """

  private static func page(_ html: String, _ change: (inout WebPage) -> Void = { _ in }) -> WebPage {
    var page = WebPage(html: html, viewport: .init(width: 240, height: 160))
    change(&page)
    return page
  }

  private static let pages: [String: WebPage] = [
    "content-visibility-element": page(chapters) { $0.area = .element("#s30") },
    "content-visibility-whole-page": page(chapters) { $0.area = .fullPage },
    "content-visibility-with-a-script": page(chapters + "<script>1</script>") { $0.area = .fullPage },
    "scroll-container": page(shell + "<script>1</script>") { $0.area = .fullPage },
    "lazy-and-observed": page(
      """
      <p style='height:900px'>Top</p><img loading=lazy width=20 height=20 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'
      width='20' height='20'><rect width='20' height='20' fill='red'/></svg>"><p id=a>hidden</p><script>
        new IntersectionObserver(([entry]) => { if (entry.isIntersecting) a.textContent = 'seen' }).observe(a);
      </script>
      """
    ) { $0.area = .fullPage },
    "virtual-list": page(
      """
      <body style='margin:0'><main id=m style='height:100vh;overflow:auto'><div id=d style='height:900px;position:relative'></div></main>
      <script>
        const draw = () => { d.innerHTML = ''; for (let y = m.scrollTop; y < m.scrollTop + m.clientHeight; y += 30) {
          d.innerHTML += `<b style='position:absolute;top:${y}px'>Row ${y / 30}</b>` } };
        m.onscroll = draw; new ResizeObserver(draw).observe(m); draw();
      </script>
      """
    ) { $0.area = .fullPage },
    "time-from-zero": page(
      "<p id=p>waiting</p><script>requestAnimationFrame(t => p.textContent = t < 1000 ? 'splash' : 'content')</script>"),
    "random-numbers": page(
      """
      <p id=p></p><script>
        p.textContent = [Math.random(), crypto.getRandomValues(new Uint8Array(4)), crypto.randomUUID?.(), performance.now() < 1000]
          .join(' ');
      </script>
      """),
    "styles-and-mask": page("<p class=advert>Buy</p><p id=m>17:42</p><p>Rest</p>") {
      $0.styles = ".advert { display: none !important }"
      $0.masks = ["#m"]
    },
    "dark": page("<meta name=color-scheme content='light dark'><p>Night</p>") { $0.appearance = .dark },
    "print": page("<style>@media print { p { color: red } }</style><p>Paper</p>") { $0.isPrinted = true },
    "mobile": page("<meta name=viewport content='width=480'><p>Phone</p><script>1</script>") { $0.isMobile = true },
    "frames-and-shadow-trees": page(
      """
      <iframe width=100 height=50 srcdoc='<b>Frame</b>'></iframe><div id=h></div><script>
        h.attachShadow({ mode: 'closed' }).innerHTML =
          `<style>b { display: block; \(box); animation: a 0.3s infinite } @keyframes a { to { margin-left: 99px } }</style><b></b>`;
      </script>
      """),
    "transition-at-its-end": page(
      """
      <style>div { \(box); transition: margin-left 600s }</style><div id=a></div><script>a.offsetTop; a.style.marginLeft = '90px'</script>
      """),
    "canvas": page(
      """
      <canvas id=c width=99 height=99></canvas><script>
        let frame = 0;
        const draw = () => {
          c.getContext('2d').fillStyle = `hsl(${frame * 7} 100% 50%)`;
          c.getContext('2d').fillRect(0, 0, 99, 99);
          if ((frame += 1) < 30) requestAnimationFrame(draw);
        };
        draw();
      </script>
      """),
    "sticky-header": page(
      "<header style='position:sticky;top:0;background:#fd0'>Head</header><p style='height:500px'>Text</p><script>1</script>"
    ) {
      $0.area = .fullPage
    },
  ]

  /// Another browser version must not fail the test.
  private let similar = Snapshotting<WebPage, Image>.image(
    precision: 0.999, perceptualPrecision: 0.97, ignoringAntialiasing: true)

  @Test("a page of each kind matches its reference, also when pages are captured concurrently")
  func pages() async {
    await withTaskGroup { group in
      for (name, page) in Self.pages {
        group.addTask { [similar] in await expectSnapshot(of: page, as: similar, named: name) }
      }
    }
  }

  @Test("the text of a page includes what the browser skips outside of the window")
  func text() async throws {
    let lines = try await Browser.shared.text(of: WebPage(html: Self.chapters)).split(separator: "\n")
    #expect(lines == (0..<40).map { "Chapter \($0)" })
  }

  @Test("the time of a page begins again in each capture, and is real without a seed")
  func time() async throws {
    let splash = try #require(Self.pages["time-from-zero"])
    let first = try await Browser.shared.png(of: splash)
    try await Task.sleep(for: .seconds(1.2))
    #expect(try await Browser.shared.png(of: splash) == first)
    var random = try #require(Self.pages["random-numbers"])
    let seeded = try await Browser.shared.text(of: random)
    #expect(try await Browser.shared.text(of: random) == seeded)
    random.seed = 2
    #expect(try await Browser.shared.text(of: random) != seeded)
    random.seed = nil
    #expect(try await Browser.shared.text(of: random) != Browser.shared.text(of: random))
  }

  @Test("a snapshot is repeated without loading again until it matches the reference")
  func reference() async throws {
    var page = Self.page("<p id=p>loading</p><script>setTimeout(() => p.textContent = 'loaded', 300)</script>")
    page.retryLimit = .seconds(20)
    await expectSnapshot(of: page, as: .text, named: "loaded")
  }

  @Test(
    "a failed request is a warning with its address",
    arguments: [
      "<img src='ADDRESS'>", "<link rel=stylesheet href='ADDRESS'>", "<script src='ADDRESS'></script>",
      "<p style='background: url(ADDRESS)'>Puffin", "<iframe src='ADDRESS'></iframe>",
      "<style>@font-face { font-family: a; src: url(ADDRESS) } p { font-family: a }</style><p>Puffin",
    ])
  func failedRequest(_ html: String) async throws {
    let address = "https://birds.example/puffin"
    var page = WebPage(html: html.replacing("ADDRESS", with: address))
    for _ in 0..<2 {
      let warnings = try await warnings(.text, page)
      #expect(
        warnings.count == 1 && warnings[0].hasPrefix("Requests of the page failed, such as \(address) ("), "\(warnings)"
      )
    }
    page.content = .html("<p>Puffin<img alt=none>", baseURL: nil)
    #expect(try await warnings(.text, page) == [])
    // The page of an error may be what a test is for.
    let url = try #require(URL(string: address))
    (page.content, page.network) = (.url(url), .responses([url: WebPage.Response(status: 404, body: Data())]))
    #expect(try await warnings(.text, page) == [])
  }

  @Test("characters without a font are a warning with some of them")
  func fonts() async throws {
    let page = WebPage(html: "<p>Puffin Ω Б ☂ 🇳🇱 नमस्ते 鳥</p>")
    let warnings = try await Browser.shared.capture(page) { try await $0.fontWarnings() }
    #expect(
      warnings.count == 1 && warnings[0].contains("characters such as 🇳 🇱 न म स, which"), "\(warnings)")
    #expect(try await Browser.shared.capture(WebPage(html: "<p>Puffin Ω Б")) { try await $0.fontWarnings() } == [])
  }

  @Test("an uncaught error of a script is a warning of every strategy")
  func uncaught() async throws {
    let page = WebPage(html: "<p>Puffin<script>throw new TypeError('Ebb.')</script><script>Promise.reject(1)</script>")
    for found in [
      try await warnings(.image, page), try await warnings(.text, page), try await warnings(.accessibility, page),
    ] {
      #expect(found.count == 1 && found[0].contains("error: TypeError: Ebb. Correct the script. Cookies"), "\(found)")
    }
  }

  private func warnings<Format>(_ strategy: Snapshotting<WebPage, Format>, _ page: WebPage) async throws -> [String] {
    let log = SnapshotLog()
    _ = try await strategy.capture(page, SnapshotContext(log: log)).value()
    return log.entries.filter { $0.kind == .warning }.map(\.message)
  }
}
