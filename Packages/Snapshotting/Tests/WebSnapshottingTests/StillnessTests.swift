import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

/// Images of a page at rest, at different times.
@Suite("Animations of a page", .timeLimit(.minutes(5)))
struct StillnessTests {
  /// A style sheet and an element that crosses the window several times a second.
  private static let runner = """
    <style>b { display: block; width: 20px; height: 20px; background: red; animation: run 0.3s infinite linear }
    @keyframes run { to { margin-left: 280px } }</style><b></b>
    """
  /// Two frames, red and green, of 20 ms each.
  private static let gif =
    "data:image/gif;base64,"
    + Data(
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 255, 0]
        + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        + [0x21, 0xF9, 4, 4, 2, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        + [0x21, 0xF9, 4, 4, 2, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]
    ).base64EncodedString()

  /// An element with a closed shadow tree that a script makes.
  private static func closed(_ html: String) -> String {
    "<div class=h></div><script>document.querySelector('.h').attachShadow({ mode: 'closed' }).innerHTML = `\(html)`</script>"
  }

  private static let movements: [(name: String, html: String)] = [
    ("an animation", runner),
    (
      "an animation in a closed tree in a frame",
      "<iframe srcdoc=\"\(closed(runner))\"></iframe>"
    ),
    (
      "one that begins when another ends",
      """
      <p id=a style='width:20px;height:20px;background:red'></p><script>
        const go = (left) => a.animate([{}, { marginLeft: left }], { duration: 400, fill: 'forwards' });
        go('50px').onfinish = () => { go('250px') };
      </script>
      """
    ),
    (
      "a transition of a part of an element",
      """
      <style>details::details-content { block-size: 0; overflow: clip; transition: block-size 2s }
      details[open]::details-content { block-size: 99px }</style>
      <details id=a><summary>A</summary>B</details><script>requestAnimationFrame(() => { a.open = true })</script>
      """
    ),
    ("an animated picture", "<img width=99 height=99 src='\(gif)'>"),
    (
      "an animation of SVG",
      "<svg><rect width=20 height=20><animate attributeName=x to=200 dur=0.3s repeatCount=indefinite /></rect></svg>"
    ),
  ]

  private func page(_ html: String, after milliseconds: Int) -> WebPage {
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    page.readiness.append(.predicate("performance.now() > \(milliseconds)"))
    return page
  }

  /// A page whose canvas changes with each frame, up to a number of frames.
  private func canvas(frames: String) -> WebPage {
    WebPage(
      html: """
        <canvas id=c width=99 height=99></canvas><script>
          let frame = 0;
          const draw = () => {
            const pen = c.getContext('2d');
            pen.fillStyle = `hsl(${frame * 7} 100% 50%)`;
            pen.fillRect(0, 0, 99, 99);
            if ((frame += 1) < \(frames)) requestAnimationFrame(draw);
          };
          draw();
        </script>
        """, viewport: .init(width: 320, height: 240))
  }

  @Test("a canvas that never stops changing is captured under a mask, and in a page with animations")
  func endlessCanvas() async throws {
    var page = canvas(frames: "Infinity")
    page.masks = ["canvas"]
    #expect(try await !Browser.shared.png(of: page).isEmpty)
    (page.masks, page.animates) = ([], true)
    #expect(try await !Browser.shared.png(of: page).isEmpty)
  }

  @Test(
    "images of a moving page are identical at different times",
    arguments: movements.map(\.name))
  func still(_ name: String) async throws {
    let html = try #require(Self.movements.first { $0.name == name }).html
    var pictures: Set<Data> = []
    for time in [0, 130] { pictures.insert(try await Browser.shared.png(of: page(html, after: time))) }
    #expect(pictures.count == 1)
  }

  /// A silent video: first red, then three other colours, with frames of 40 ms.
  private func video(_ attributes: String) throws -> String {
    let file = try #require(Bundle.module.url(forResource: "Site/colours", withExtension: "webm"))
    let data = try Data(contentsOf: file).base64EncodedString()
    return "<video id=v muted \(attributes) src='data:video/webm;base64,\(data)'></video><script></script>"
  }

  @Test(
    "a video is at its beginning, also if it plays",
    arguments: ["true", "(v.pause(), true)", "(v.onpause = () => v.play(), true)"])
  func playing(_ action: String) async throws {
    var page = WebPage(html: try video("autoplay loop"))
    page.readiness = [.predicate("v.currentTime > 0.1 && \(action)")]
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(isRed(picture[16, 16]))
  }

  @Test("a video that has not played shows its poster")
  func poster() async throws {
    let square =
      "<svg xmlns=%22http://www.w3.org/2000/svg%22><rect width=%2299%22 height=%2299%22 fill=%22blue%22/></svg>"
    let page = WebPage(html: try video("poster='data:image/svg+xml,\(square)'"))
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(picture[16, 16] == Image.Pixel(red: 0, green: 0, blue: 255))
  }

  @Test(
    "what moves in a frame that is not drawn causes no delay",
    arguments: ["sandbox='allow-scripts'", ""],
    [
      "style='margin-top: 300vh'", "style='position: absolute; left: -9999px'", "style='transform: scale(0)'",
      "style='width: 0'", "hidden",
    ])
  func outside(_ frame: String, _ attributes: String) async throws {
    let moving = Self.runner + "<img loading=lazy src='data:,'>" + (try video("autoplay loop"))
    let document = moving.replacing("'", with: "&apos;")
    let frame = "<iframe \(frame) srcdoc='\(document)'></iframe>"
    var page = WebPage(html: "<div \(attributes)>\(frame)</div><details><summary>Frame</summary>\(frame)</details>")
    for area in [WebPage.Area.viewport, .fullPage] {
      page.area = area
      #expect(try await !Browser.shared.png(of: page).isEmpty)
    }
  }

  @Test("an element with autofocus is at the same place, however late the elements above it have their size")
  func focus() async throws {
    var pictures: Set<Data> = []
    for height in [0, 300] {
      var page = WebPage(
        html: """
          <html style='overflow-anchor: none'><div id=d style='height: \(height)px'></div><p style='height: 700px'></p>
          <button autofocus>Go</button><p style='height: 700px'></p>
          """, viewport: .init(width: 320, height: 240))
      page.readiness = [.predicate("document.activeElement.autofocus && (d.style.height = '300px', scrollY > 0)")]
      pictures.insert(try await Browser.shared.png(of: page))
    }
    #expect(pictures.count == 1)
  }

  @Test(
    "texts are taken when a page has stopped changing",
    arguments: [
      "let i = 0; const go = () => { p.textContent = i++ < 99 ? i : 'end'; if (i < 100) requestAnimationFrame(go) }; go()",
      "new IntersectionObserver(([entry]) => p.textContent = 'end').observe(p)",
      "document.startViewTransition(() => { p.textContent = 'end' })",
    ])
  func texts(_ script: String) async throws {
    var page = WebPage(html: "<p id=p></p><b>advert</b><script>onload = () => { \(script) }</script>")
    page.styles = "b { display: none }"
    #expect(try await Browser.shared.text(of: page) == "end")
    let tree = try await Browser.shared.capture(page) { try await $0.accessibilityTree(of: nil) }
    #expect(tree == "document\n  paragraph\n    text: end\n")
  }

  @Test("a page whose scripts are forbidden is captured without a delay")
  func forbidden() async throws {
    let url = try #require(URL(string: "https://birds.example/"))
    let headers = ["Content-Type": "text/html", "Content-Security-Policy": "sandbox"]
    let response = WebPage.Response(headers: headers, body: Data("<p>Puffin<script>document.title = 'x'</script>".utf8))
    let page = WebPage(url: url, network: .responses([url: response]))
    #expect(try await !Browser.shared.png(of: page).isEmpty)
  }

  @Test("smooth scrolling is at its end")
  func smooth() async throws {
    var pictures: Set<Data> = []
    for behavior in ["auto", "smooth"] {
      let style = "<style>html { scroll-behavior: \(behavior) } p { height: 2000px }</style>"
      var page = WebPage(html: style + "<p>A<p id=a>B<p>C<script>onload = () => a.scrollIntoView()</script>")
      page.reducesMotion = false
      pictures.insert(try await Browser.shared.png(of: page))
    }
    #expect(pictures.count == 1)
  }

  @Test("scroll animations are unchanged")
  func scrolling() async throws {
    let scrolled = """
      <body style='margin:0;height:3000px'><style>b { display: block; width: 20px; height: 20px; background: red;
      animation: go linear both; animation-timeline: scroll() } @keyframes go { to { margin-left: 200px } }</style><b></b>
      """
    let top = try Image(png: try await Browser.shared.png(of: WebPage(html: scrolled)))
    #expect(top[10, 10] == Image.Pixel(red: 255, green: 0, blue: 0))
  }

  @Test(
    "a caret is invisible with any style",
    arguments: [
      "<input autofocus>", "<input autofocus id=a><style>#a#a { caret-color: red !important }</style>",
      "<div><template shadowrootmode=open><style>input { caret-color: red !important }</style><input autofocus></template></div>",
      "<p contenteditable id=a style='caret-color:red'>Puffin</p><script>a.focus()</script>",
    ])
  func caret(_ html: String) async throws {
    let style = "<style>input, p { font: 40px monospace; border: 0; outline: 0; caret-color: red }</style>"
    let page = WebPage(html: style + html, viewport: .init(width: 320, height: 100))
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(!(0..<picture.width).contains { x in isRed(picture[x, 25]) || isRed(picture[x, 35]) })
  }

  private func isRed(_ pixel: Image.Pixel?) -> Bool {
    pixel.map { $0.red > 200 && $0.green < 100 && $0.blue < 100 } ?? false
  }
}
