import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Leaks between pages in one tab", .timeLimit(.minutes(4)))
struct LeakTests {
  private static let options = Browser.Configuration(tabs: 1)

  private static func page(_ html: String) -> WebPage { WebPage(html: html, viewport: .init(width: 500, height: 400)) }

  /// The traces of the previous page that scripts can see.
  private static let state =
    "<pre id=o style='font: 8px monospace; white-space: pre-wrap'></pre><script>o.textContent = [name, history.length, history.state, "
    + "scrollY, document.title, document.compatMode, "
    + "document.dir, document.designMode, document.cookie, document.referrer, document.fgColor, document.linkColor, document.alinkColor, "
    + "document.vlinkColor, document.bgColor, document.activeElement?.localName, document.hasFocus(), document.fonts.size, "
    + "document.styleSheets.length, document.adoptedStyleSheets.length, document.characterSet, document.URL, document.baseURI, "
    + "innerWidth, innerHeight, outerWidth, visualViewport.scale, devicePixelRatio, Object.keys(window).length, "
    + "performance.getEntriesByType('resource').length, performance.getEntriesByType('mark').length, performance.getEntriesByType('paint').length, "
    + "performance.getEntriesByType('navigation').length, performance.now() < 60000, navigator.userActivation.hasBeenActive, opener, frames.length, "
    + "getComputedStyle(document.body).color, getComputedStyle(document.documentElement).zoom, 'x' in Object.prototype].join(' | ')</script>"

  /// Pages that show many possible traces, in standards mode and in quirks mode.
  private static let references = [
    "<!DOCTYPE html><title>R</title>\(state)<p>Tern <a href='#a'>link</a> <a href='http://a.example/'>other</a><table><tr><td>1<td>2</table>"
      + "<p id=a style='width: 50%'>wide<h1>Head</h1><button>b</button><img alt=none><ul><li>x</ul>",
    "\(state)<a href='about:blank#a'>Skua</a><font color=red size=7>old</font><table border=1><tr><td>1</table><input value=a autofocus><select><option>o</select>"
      + "<p style='height: 3000px; scroll-snap-align: end'>tall",
  ]

  /// Pages that try to leave a trace.
  private static let nasty = [
    // Elements and attributes.
    "<body link=red vlink=lime alink=blue text=green bgcolor=yellow background=a marginwidth=90 topmargin=80><p>a",
    "<html lang=ar dir=rtl style='zoom: 3; color: red; writing-mode: vertical-rl; color-scheme: dark' class=x><body style='overflow: scroll; direction: rtl'><p>a",
    "<p>a<body link=red>",
    "<!DOCTYPE html><base href='http://a.example/'><title>Left</title><meta name=viewport content='width=100, initial-scale=3'>",
    "<meta name=color-scheme content=dark><meta name=theme-color content=red><meta name=referrer content=no-referrer><meta charset=utf-16>",
    "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'; img-src 'none'; script-src 'none'\">",
    "<meta http-equiv=refresh content='0; url=#a'><meta http-equiv=default-style content=x><style title=x>p { color: red }</style><style title=y>p { color: lime }</style>",
    "<style>@page { size: 1cm } @font-face { font-family: 'DejaVu Sans'; src: url(data:,x) } * { color: red !important } :root { color-scheme: dark; zoom: 2 }</style><h1>a",
    "<style>@property --x { syntax: '<color>'; inherits: true; initial-value: red } @view-transition { navigation: auto } ::view-transition { animation: none }</style>",
    "<p tabindex=0 autofocus contenteditable style='height: 5000px'>a<input autofocus><dialog open>d</dialog><details open>e</details>",
    "<!DOCTYPE html><p style='height: 5000px; scroll-initial-target: nearest'>a<p id=x style='scroll-initial-target: nearest'>b",
    "<svg width=9 height=9 zoomAndPan=magnify viewBox='0 0 1 1'><style>* { fill: red }</style><script>name = 's'</script></svg>",
    "<frameset cols='50%,50%'><frame src='about:blank'><frame name=left></frameset>",
    "<iframe name=left srcdoc='<script>parent.name = 1; top.scrollTo(0, 9)</script>'></iframe><img name=left id=name>",
    "<link rel=stylesheet href='data:text/css,*{color:red!important}'><link rel=icon href='data:,'><link rel=preload as=style href='data:,'>",
    // Scripts that run until the page ends.
    "<script>for (const e of ['pagehide', 'unload', 'beforeunload', 'visibilitychange', 'freeze']) addEventListener(e, () => { name = 'leak' })</script>",
    "<script>addEventListener('pagehide', () => { Promise.resolve().then(() => { name = 'later' }); history.pushState(1, '', '#p') })</script>",
    "<script>history.pushState(1, '', '#a'); history.pushState(2, '', '#b'); history.scrollRestoration = 'manual'; location.hash = 'c'; document.title = 'left'</script><p style='height: 9000px'>a",
    "<script>Object.prototype.x = 1; document.designMode = 'on'; document.body.style.zoom = 3; performance.mark('m'); moveTo(9, 9); resizeTo(9, 9); scrollTo(0, 900); print = 1</script>",
    "<script>document.linkColor = 'red'; document.vlinkColor = 'lime'; document.adoptedStyleSheets.push(Object.assign(new CSSStyleSheet())); document.open(); document.write('<p>b'); document.close(); document.dir = 'rtl'</script>",
    "<script>new BroadcastChannel('a').postMessage(1); new SharedWorker('data:,'); setInterval(() => { name = 'i' }, 0); document.fonts.add(new FontFace('DejaVu Sans', 'url(data:,)')); CSS.registerProperty?.({ name: '--y', syntax: '*', inherits: false })</script>",
    "<script>const b = document.createElement('button'); document.body.append(b); b.focus(); getSelection().selectAllChildren(document.body); document.documentElement.requestFullscreen?.().catch(() => 0)</script><p>a",
    "<script>location = 'about:blank#a'</script>",
    "<script>try { localStorage.x = 1 } catch {} try { document.cookie = 'a=b' } catch {} try { indexedDB.open('a') } catch {}</script>",
  ]

  /// Takes an image in the tab of the previous page.
  ///
  /// The tab is idle when this returns.
  private func show(_ html: String, in browser: Browser) async throws -> Data {
    let picture = try await browser.png(of: Self.page(html))
    try await browser.running().waitForIdleTabs()
    return picture
  }

  /// The images of new browsers, taken once for all tests.
  private static let expected = Task {
    var pictures: [Data] = []
    for reference in references {
      let browser = Browser(options)
      pictures.append(try await browser.png(of: page(reference)))
      await browser.close()
    }
    return pictures
  }

  /// Whether one of two pages changes a later image by as little as one bit.
  ///
  /// One tab shows all of them.
  private func leaves(_ pages: (String, String), in browser: Browser, _ expected: [Data]) async throws -> Bool {
    for (reference, picture) in zip(Self.references, expected) {
      // A page may fail, for example if its frames cannot be loaded. The pages after it must not.
      for html in [pages.0, pages.1] {
        _ = try? await show(html, in: browser)
        if try await show(reference, in: browser) != picture { return true }
      }
    }
    return false
  }

  @Test("pages that try to leave something do not change the next page")
  func nothing() async throws {
    let expected = try await Self.expected.value
    let browser = Browser(Self.options)
    for index in stride(from: 0, to: Self.nasty.count, by: 2) {
      let pages = (Self.nasty[index], Self.nasty[(index + 1) % Self.nasty.count])
      let isLeft = try await leaves(pages, in: browser, expected)
      #expect(!isLeft, "\(pages)")
    }
    try await browser.running().waitForIdleTabs()
    #expect(try await browser.open(WebPage(html: "<p>")).uses > 0)
    await browser.close()
  }

  @Test("random elements and attributes do not change the next page")
  func generated() async throws {
    let expected = try await Self.expected.value
    let browser = Browser(Self.options)
    let names = [
      "html", "body", "p", "a", "h1", "table", "td", "img", "div", "button", "svg", "title", "style", "meta", "ul",
      "label",
    ]
    let attributes = [
      "link=red", "vlink=red", "alink=red", "text=red", "bgcolor=red", "background=a", "dir=rtl", "lang=ar",
      "style='zoom:2;color:red'",
      "style='height:4000px;overflow:scroll'", "style='writing-mode:vertical-rl;color-scheme:dark'", "tabindex=0",
      "contenteditable", "id=a",
      "name=left", "popover", "hidden", "inert", "draggable=true", "translate=no", "charset=utf-8", "content=dark",
      "class=x",
      "align=right", "href=http://a.example/", "src=data:,x", "role=main", "spellcheck", "autofocus", "accesskey=a",
      "title=x",
    ]
    let attribute = Generator<Int>.int(in: 0...attributes.count - 1).array(count: 0...3)
    let element = Generator.zip(Generator<Int>.int(in: 0...names.count - 1), attribute)
    let html = element.array(count: 1...8).map { elements in
      elements.map { name, chosen in
        "<\(([names[name]] + chosen.map { attributes[$0] }).joined(separator: " "))>x"
      }.joined()
    }
    try await checkProperty("nothing is left", count: 5, html, html) { first, second in
      try await !leaves((first, second), in: browser, expected)
    }
    await browser.close()
  }
}
