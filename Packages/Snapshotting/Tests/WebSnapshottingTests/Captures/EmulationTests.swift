import Foundation
import ImageSnapshotting
import Loopback
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Emulation", .timeLimit(.minutes(4)))
struct EmulationTests {
  private let browser = Browser.shared

  private func answer(_ script: String, _ change: (inout WebPage) -> Void = { _ in }) async throws -> String {
    var page = WebPage(html: "<script>console.log(\(script))</script>")
    change(&page)
    return try await browser.console(of: page)
  }

  @Test("the clock, the time zone and the language are fixed")
  func clock() async throws {
    let script =
      "new Date().toISOString(), Date.now() === +new Date(), new Date(2020, 0, 1, 12).getHours(), "
      + "Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, new Date() instanceof Date, new Date(0).getHours()"
    #expect(try await answer(script) == "log: 2018-12-17T12:00:00.000Z true 12 UTC en-US true 0\n")
    let dutch = try await answer("new Date().toString()") {
      $0.timeZone = "Europe/Amsterdam"
      $0.now = Date(timeIntervalSince1970: 0)
    }
    #expect(dutch == "log: Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)\n")
    let going = try await answer("Math.abs(Date.now() - \(Date().timeIntervalSince1970 * 1000)) < 6e5") { $0.now = nil }
    #expect(going == "log: true\n")
  }

  #if os(Linux)
    @Test("text uses DejaVu for every font family")
    func fonts() async throws {
      let script = """
        (() => {
          const pen = document.createElement('canvas').getContext('2d');
          const width = (family) => { pen.font = `40px ${family}`; return pen.measureText('Puffins, 17 of them').width };
          const are = (own, families) => families.every((family) => width(family) === width(own));
          return [
            are('"DejaVu Sans"', ['sans-serif', 'Arial', 'Helvetica', 'system-ui']),
            are('"DejaVu Serif"', ['serif', 'Times', 'Georgia', 'Whatever']), are('"DejaVu Sans Mono"', ['monospace', 'Menlo', 'Courier']),
            new Set(['"DejaVu Sans"', '"DejaVu Serif"', '"DejaVu Sans Mono"'].map(width)).size,
            width('"DejaVu Sans Condensed"') === width('Whatever')].join();
        })()
        """
      #expect(try await answer(script) == "log: true,true,true,3,true\n")
    }
  #endif

  @Test("frames have the same clock")
  func frames() async throws {
    let page = WebPage(html: "<iframe srcdoc='<script>console.log(new Date().getFullYear())</script>'></iframe>")
    #expect(try await browser.console(of: page) == "log: 2018\n")
  }

  @Test("a page sees its size, scale and appearance")
  func window() async throws {
    let script = "innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches"
    #expect(try await answer(script) == "log: 640 480 1 false\n")
    let other = try await answer(script) {
      $0.viewport = .init(width: 320, height: 200, scale: 2)
      $0.appearance = .dark
    }
    #expect(other == "log: 320 200 2 true\n")
    let page = WebPage(html: "<p>", viewport: .init(width: 320, height: 200, scale: 2))
    let picture = try Image(png: try await browser.png(of: page))
    #expect((picture.width, picture.height) == (640, 400))
  }

  @Test("storage is not kept for the next capture")
  func isolation() async throws {
    let url = try #require(URL(string: "https://birds.example/"))
    let page = WebPage(
      html: "<script>console.log(localStorage.seen, document.cookie, window.name); "
        + "localStorage.seen = 1; document.cookie = 'seen=1'; window.name = 'seen'</script>", baseURL: url)
    for _ in 0..<2 { #expect(try await browser.console(of: page) == "log: undefined  \n") }
  }

  @Test("a reused tab has a new window without variables, names, history and timers")
  func reuse() async throws {
    let browser = Browser(
      Browser.Configuration(tabs: 1), clock: ManualClock())
    let page = WebPage(
      html: """
        <p>Puffin<script>
          console.log(typeof leak, window.name, history.length, document.querySelectorAll('p').length, Date.name, document.title,
            document.hasFocus(), scrollY, getComputedStyle(document.body).marginTop, 'x' in Object.prototype);
          var leak = 1; window.name = 'leak'; history.pushState(1, ''); Date = 1; document.title = 'leak'; Object.prototype.x = 1;
          setInterval(() => console.log('leak'), 0); new BroadcastChannel('a').onmessage = () => console.log('leak');
          new BroadcastChannel('a').postMessage(1); document.body.style.height = '9999px'; scrollTo(0, 100);
          document.head.innerHTML += '<style>body { margin: 99px }</style>'; new Worker('data:,setInterval(() => 0)');
        </script>
        """)
    var consoles: [String] = []
    for _ in 0..<6 { consoles.append(String(try await browser.console(of: page).prefix { $0 != "\n" })) }
    #expect(Set(consoles).count == 1, "\(consoles)")
    var other = WebPage(html: "<script>console.log(new Date().getHours(), devicePixelRatio)</script>")
    other.now = nil
    other.timeZone = "Mars/Olympus"
    do throws(WebError) {
      _ = try await browser.console(of: other)
      Issue.record("A zone that there is not was set.")
    } catch {
      #expect(error.kind == .notFound)
    }
    for (zone, hour) in [("Europe/Amsterdam", 13), ("Asia/Tokyo", 21), ("UTC", 12), ("America/Lima", 7)] {
      other.now = WebPage.usualNow
      other.timeZone = zone
      #expect(try await browser.console(of: other) == "log: \(hour) 1\n")
    }
    let year = "[1970, 1999, 2018].find((year) => year === new Date().getFullYear())"
    other.content = WebPage(html: "<script>console.log(\(year), Date.name, history.length)</script>").content
    let years: [(instant: TimeInterval?, year: String)] = [
      (86_400, "1970"), (915_300_000, "1999"), (nil, "undefined"), (1_545_048_000, "2018"), (nil, "undefined"),
    ]
    for (instant, year) in years {
      other.now = instant.map { Date(timeIntervalSince1970: $0) }
      #expect(try await browser.console(of: other) == "log: \(year) Date 1\n")
    }
    other = WebPage(
      html: "<script>console.log(innerWidth, matchMedia('(prefers-color-scheme: dark)').matches)</script>")
    for (width, appearance) in [(320, WebPage.Appearance.dark), (640, .light), (320, .light), (320, .dark)] {
      (other.viewport.width, other.appearance) = (width, appearance)
      #expect(try await browser.console(of: other) == "log: \(width) \(appearance == .dark)\n")
    }
    try await browser.running().waitForIdleTabs()
    #expect(try await browser.open(other).uses > 0)
    await browser.close()
  }

  @Test("a reused window shows the next page as a new window does")
  func sameWindow() async throws {
    let options = Browser.Configuration(tabs: 1)
    let first = WebPage(
      html: """
        <!DOCTYPE html><html lang=nl dir=rtl style='scroll-snap-type: y mandatory; scroll-behavior: smooth; zoom: 2'><style>
          @property --a { syntax: '*'; inherits: true; initial-value: red } @layer x, y; @counter-style c { symbols: '*' }
          p { animation: a 1s infinite; height: 3000px } @keyframes a { to { margin: 9px } } body { background: green }
          h1 { scroll-snap-align: start; scroll-initial-target: nearest }
        </style><title>First</title><p id=p>Puffin<h1 tabindex=0 contenteditable>Auk</h1>
        """)
    #expect(PageTraits(first).isInert)
    // A page with a script, and a page with text.
    let looking = WebPage(
      html: """
        <p>Tern<script>
          console.log(scrollY, document.title, document.compatMode, document.documentElement.outerHTML.length, typeof p,
            document.getAnimations().length, document.styleSheets.length, document.dir, history.length, document.activeElement?.localName,
            getComputedStyle(document.body).getPropertyValue('--a'), Date.name, innerWidth, getSelection().type, document.fonts.size);
        </script>
        """)
    let shown = WebPage(html: "<p style='height: 3000px'>Tern<p>Skua")
    let fresh = Browser(options)
    let (console, picture) = (try await fresh.console(of: looking), try await fresh.png(of: shown))
    await fresh.close()
    let browser = Browser(options, clock: ManualClock())
    for _ in 0..<4 {
      _ = try await browser.png(of: first)
      #expect(try await browser.png(of: shown) == picture)
      #expect(try await browser.console(of: first) == "")
      #expect(try await browser.console(of: looking) == console)
    }
    try await browser.running().waitForIdleTabs()
    #expect(try await browser.open(shown).uses > 0)
    await browser.close()
  }

  @Test("a wait for an idle network includes requests in flight")
  func pending() async throws {
    let answers = Signal()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/slow") { _ in
          await answers.wait()
          return HTTPResponse(.ok, headers: ["Access-Control-Allow-Origin": "*"], body: Array("Puffin".utf8))
        }
        Route(.get, "/answer") { _ in
          answers.raise()
          return .text("")
        }
      })
    let url = server.url.absoluteString
    // The answer is held until the page has been idle for a while.
    var page = WebPage(
      html: """
        <script>
          fetch('\(url)/slow').then((r) => r.text()).then((t) => { document.body.innerText = t });
          onload = () => setTimeout(() => fetch('\(url)/answer', { mode: 'no-cors' }), 300);
        </script>
        """, network: .on)
    page.readiness = [.networkIdle(for: .milliseconds(1))]
    #expect(try await browser.text(of: page) == "Puffin")
    await server.stop(grace: .zero)
  }

  @Test("a context that is created after a cancellation is closed")
  func vain() async throws {
    let browser = Browser(Browser.Configuration(), clock: ManualClock())
    let running = try await browser.running()
    let before = try await running.contexts().count
    for _ in 0..<5 {
      let opening = Task {
        await failure { try await Tab.open(running.connection, isOnline: true, clock: ContinuousClock()) }
      }
      opening.cancel()
      #expect(await opening.value?.kind == .cancelled)
    }
    try await poll(while: await running.contexts().count != before)
    await browser.close()
  }

  @Test("text reaches neither the network nor files")
  func offline() async throws {
    let hits = Hits()
    let server = try await HTTPServer.start(Router { Route(.get, "/:name") { _ in hits.add() } })
    let url = server.url.absoluteString
    let html = """
      <link rel=stylesheet href="\(url)/a.css"><link rel=preconnect href="\(url)"><img src="\(url)/b.png">
      <iframe src="\(url)/c"></iframe><iframe src="file:///etc/passwd"></iframe><img id=f src="file:///usr/share/pixmaps/debian-logo.png">
      <script>
        const all = [fetch('\(url)/d'), fetch('file:///etc/passwd'), new Promise((_, no) => new WebSocket('\(url)/e'.replace('http', 'ws')).onerror = no),
          new Promise((yes, no) => new Worker(URL.createObjectURL(new Blob([`fetch('\(url)/g').then(() => postMessage(1), () => postMessage(0))`])))
            .onmessage = (m) => m.data ? yes() : no())];
        navigator.sendBeacon('\(url)/h');
        Promise.allSettled(all).then((r) => { console.log(r.map((x) => x.status).join()); globalThis.done = true });
      </script>
      """
    for network in [WebPage.Network.off, .responses([:])] {
      for base in [nil, URL(string: "https://birds.example/")] {
        var page = WebPage(html: html, baseURL: base, network: network)
        page.readiness = [.predicate("globalThis.done")]
        let console = try await browser.console(of: page)
        #expect(console.contains("rejected,rejected,rejected,rejected"), "\(network) \(console)")
        #expect(try await !browser.text(of: page).contains("root:"))
      }
    }
    #expect(hits.count == 0)
    var online = WebPage(html: "<img src='\(url)/b.png'>", network: .on)
    online.readiness = [.networkIdle(for: .milliseconds(1))]
    _ = try await browser.png(of: online)
    #expect(hits.count == 1)
    await server.stop(grace: .zero)
  }

  @Test("given responses replace the network")
  func responses() async throws {
    let url = try #require(URL(string: "https://birds.example/list.json"))
    let page = WebPage(
      html:
        "<script>fetch('https://birds.example/list.json').then(r => r.json()).then(b => document.body.append(b[0]))</script>",
      network: .responses([url: WebPage.Response(Data(#"["Puffin"]"#.utf8), type: "application/json")]))
    var waiting = page
    waiting.readiness = [.predicate("document.body.innerText !== ''")]
    #expect(try await browser.text(of: waiting) == "Puffin")
  }

  @Test("spellings of an address are equal", arguments: ["https://birds.example", "HTTPS://Birds.EXAMPLE:443#a"])
  func spelling(_ base: String) async throws {
    let (base, other) = (try #require(URL(string: base)), try #require(URL(string: "http://AUKS.example:80")))
    var page = WebPage(html: "<p>Puffin", baseURL: base)
    #expect(try await browser.text(of: page) == "Puffin")
    page = WebPage(
      html: "<script>fetch('http://auks.example/').then(r => r.text()).then(t => document.body.append(t))</script>",
      network: .responses([other: WebPage.Response(Data("Auk".utf8), type: "text/plain")]))
    page.readiness = [.predicate("document.body.innerText !== ''")]
    #expect(try await browser.text(of: page) == "Auk")
  }

  @Test("a page from a file shows files of its folder, and none above it")
  func files() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/site", withIntermediateDirectories: true)
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    for name in ["site/in.svg", "out.svg"] {
      try Data(circle.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    let html =
      "<img src=in.svg><img src=../out.svg><script>onload = () => console.log(...[...document.images].map(i => i.naturalWidth))</script>"
    let file = URL(fileURLWithPath: "\(folder.path)/site/index.html")
    try Data(html.utf8).write(to: file)
    #expect(try await browser.console(of: WebPage(file: file)) == "log: 7 0\n")
  }

  @Test("dialogs do not block a page, and windows do not open")
  func dialogs() async throws {
    let script = "(alert('a'), confirm('b')), prompt('c'), window.open('about:blank')"
    #expect(try await answer(script) == "log: false null null\n")
  }
}

final class Hits: @unchecked Sendable {
  // Unchecked: `lock` guards the number.
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }

  func add() -> HTTPResponse {
    lock.withLock { number += 1 }
    return .text("hit")
  }
}
