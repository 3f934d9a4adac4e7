import Foundation
import ImageSnapshotting
import Testing
import WebSnapshotting

/// Images of a page at rest, at different times.
@Suite("Animations of a page", .timeLimit(.minutes(2)))
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

  private static let movements: [(name: String, html: String)] = [
    ("an animation", runner),
    ("an animation in an open shadow tree", "<div><template shadowrootmode=open>\(runner)</template></div>"),
    ("an animation in a closed shadow tree", "<div><template shadowrootmode=closed>\(runner)</template></div>"),
    (
      "an animation in closed trees within each other",
      "<div><template shadowrootmode=closed><p><template shadowrootmode=closed>\(runner)</template></p></template></div>"
    ),
    (
      "an animation of a script in a closed tree",
      """
      <div id=a></div><script>
        const root = a.attachShadow({ mode: 'closed' });
        root.innerHTML = '<p style="width:20px;height:20px;background:red">';
        root.firstChild.animate([{}, { transform: 'translateX(200px)' }], { duration: 300, iterations: Infinity });
      </script>
      """
    ),
    ("an animation in a frame", "<iframe srcdoc='\(runner)'></iframe>"),
    (
      "an animation in a closed tree in a frame",
      "<iframe srcdoc='<div><template shadowrootmode=closed>\(runner)</template></div>'></iframe>"
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
    ("a progress bar without a value", "<progress></progress>"),
    ("a progress bar in a closed tree", "<div><template shadowrootmode=closed><progress></progress></template></div>"),
    ("a marquee", "<marquee scrollamount=60 scrolldelay=16 truespeed>Puffins</marquee>"),
    (
      "a marquee that starts again with nearly each frame",
      "<marquee width=20 scrollamount=60 scrolldelay=16 truespeed>Puffins</marquee>"
    ),
    (
      "a marquee in a frame that starts again with nearly each frame",
      "<iframe srcdoc='<marquee width=20 scrollamount=60 scrolldelay=16 truespeed>Puffins</marquee>'></iframe>"
    ),
    ("a marquee in a hidden frame", "<iframe style='display:none' srcdoc='<marquee>Puffins</marquee>'></iframe>"),
    ("an animated picture", "<img width=99 height=99 src='\(gif)'>"),
    ("an animated background", "<p style='height:99px;background:url(\(gif))'></p>"),
    (
      "an animation of SVG",
      "<svg><rect width=20 height=20><animate attributeName=x to=200 dur=0.3s repeatCount=indefinite /></rect></svg>"
    ),
    (
      "a video",
      """
      <canvas id=c width=99 height=99></canvas><video id=v width=99 height=99 muted></video><script>
        const pen = c.getContext('2d');
        const recorder = new MediaRecorder(c.captureStream(60), { mimeType: 'video/webm' });
        recorder.ondataavailable = ({ data }) => { v.src = URL.createObjectURL(data); v.loop = true; v.play() };
        recorder.start();
        let frame = 0;
        const draw = () => {
          pen.fillStyle = `hsl(${frame * 40} 100% 50%)`;
          pen.fillRect(0, 0, 99, 99);
          if ((frame += 1) < 60) setTimeout(draw, 5); else recorder.stop();
        };
        draw();
      </script>
      """
    ),
  ]

  private func page(_ html: String, after milliseconds: Int) -> WebPage {
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    page.readiness.append(.predicate("performance.now() > \(milliseconds)"))
    return page
  }

  @Test("a page with a hidden shadow tree below many nested elements is captured", arguments: [150, 20_000])
  func nested(_ depth: Int) async throws {
    let hidden = "<video></video><p><template shadowrootmode=closed>Puffin</template></p>"
    let page = WebPage(html: String(repeating: "<div>", count: depth) + hidden)
    #expect(try await !Browser.shared.png(of: page).isEmpty)
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

  @Test("a canvas that stops changing is captured when it has stopped")
  func settlingCanvas() async throws {
    var pictures: Set<Data> = []
    for _ in 0..<3 { pictures.insert(try await Browser.shared.png(of: canvas(frames: "30"))) }
    #expect(pictures.count == 1)
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
    arguments: movements.filter { !$0.name.contains("video") }.map(\.name))
  func still(_ name: String) async throws {
    let html = try #require(Self.movements.first { $0.name == name }).html
    var pictures: Set<Data> = []
    for time in [0, 130] { pictures.insert(try await Browser.shared.png(of: page(html, after: time))) }
    #expect(pictures.count == 1)
  }

  @Test("images of a page with many animations are identical")
  func all() async throws {
    let html = Self.movements.filter {
      !$0.name.contains("video") && !$0.name.contains("script") && !$0.name.contains("ends")
    }
    .map(\.html).joined()
    var pictures: Set<Data> = []
    for time in 0..<3 { pictures.insert(try await Browser.shared.png(of: page(html, after: time * 89))) }
    #expect(pictures.count == 1)
  }

  @Test("an animation that follows a finished one is at its end")
  func followed() async throws {
    var page = WebPage(
      html: """
        <body style='margin:0'><p id=a style='margin:0;width:20px;height:20px;background:red'></p><script>
          const go = (left) => a.animate([{}, { marginLeft: left }], { duration: 600000, fill: 'forwards' });
          const first = go('50px');
          first.onfinish = () => { go('200px') };
        </script>
        """)
    // Scripts receive the end with the next frame.
    page.readiness.append(.predicate("first.finish() === undefined"))
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(picture[210, 10] == Image.Pixel(red: 255, green: 0, blue: 0))
  }

  @Test("a page whose scripts are forbidden is captured without a delay")
  func forbidden() async throws {
    let url = try #require(URL(string: "https://birds.example/"))
    let headers = ["Content-Type": "text/html", "Content-Security-Policy": "sandbox"]
    let response = WebPage.Response(headers: headers, body: Data("<p>Puffin<script>document.title = 'x'</script>".utf8))
    var page = WebPage(url: url)
    page.network = .responses([url: response])
    #expect(try await !Browser.shared.png(of: page).isEmpty)
  }

  @Test("finite animations are at their end, and scroll animations are unchanged")
  func ends() async throws {
    let mover = """
      <style>b { display: block; width: 20px; height: 20px; background: red; animation: go 600s forwards }
      @keyframes go { to { margin-left: 200px } }</style><b></b>
      """
    let html = "<body style='margin:0'><div><template shadowrootmode=closed>\(mover)</template></div>"
    let picture = try Image(png: try await Browser.shared.png(of: WebPage(html: html)))
    #expect(picture[210, 10] == Image.Pixel(red: 255, green: 0, blue: 0))
    let scrolled = """
      <body style='margin:0;height:3000px'><style>b { display: block; width: 20px; height: 20px; background: red;
      animation: go linear both; animation-timeline: scroll() } @keyframes go { to { margin-left: 200px } }</style><b></b>
      """
    let top = try Image(png: try await Browser.shared.png(of: WebPage(html: scrolled)))
    #expect(top[10, 10] == Image.Pixel(red: 255, green: 0, blue: 0))
  }

  @Test("animations run on request, and the page sees the preference for reduced motion")
  func moving() async throws {
    let html = "<script>console.log(matchMedia('(prefers-reduced-motion: reduce)').matches)</script>"
    var page = WebPage(html: html)
    #expect(try await Browser.shared.console(of: page) == "log: true\n")
    page.animates = true
    #expect(try await Browser.shared.console(of: page) == "log: false\n")
    page.animates = false
    #expect(try await Browser.shared.console(of: page) == "log: true\n")
  }

  @Test(
    "a caret is invisible with any style",
    arguments: [
      "<input autofocus>", "<input autofocus id=a><style>#a#a { caret-color: red !important }</style>",
      "<input autofocus style='caret-color: red !important'>",
      "<div><template shadowrootmode=open><style>input { caret-color: red !important }</style><input autofocus></template></div>",
      """
      <div id=a></div><script>
        const root = a.attachShadow({ mode: 'closed' });
        root.innerHTML = '<style>input { caret-color: red !important }</style><input>';
        root.querySelector('input').focus();
      </script>
      """,
      "<p contenteditable id=a style='caret-color:red'>Puffin</p><script>a.focus()</script>",
      // Focused only while the page is prepared for its image.
      """
      <input id=a style='caret-color: red !important'><script>
        a.setAttribute('autofocus', '');
        document.body.animate([{ opacity: 0.5 }, { opacity: 1 }], 1e6).onfinish = () => a.focus();
      </script>
      """,
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

  @Test("less than one stable image means one", arguments: [0, -1])
  func noImage(count: Int) async throws {
    var page = WebPage(html: "<script>console.log('ready')</script>")
    page.readiness = [.stableImages(count)]
    page.timeout = .seconds(10)
    #expect(try await Browser.shared.console(of: page) == "log: ready\n")
  }

  @Test("a video shows its first frame, where the browser can record one")
  func video() async throws {
    let canRecord = WebPage(
      html: "<script>console.log(globalThis.MediaRecorder?.isTypeSupported('video/webm'))</script>")
    guard try await Browser.shared.console(of: canRecord) == "log: true\n" else { return }
    // Recordings differ, so only the position is checked.
    let html = try #require(Self.movements.last).html
    var page = WebPage(html: html)
    page.readiness = [.predicate("v.currentTime > 0.01"), .stableImages(2)]
    page.readiness.append(.predicate("(console.log(v.paused, v.currentTime), true)"))
    #expect(try await Browser.shared.console(of: page) == "log: true 0\n")
  }
}
