import Foundation
import Loopback
import ParallelTesting
import TestSupport
import Snapshotting
import Testing

@testable import WebSnapshotting

@Suite("Faults of pages and browsers", .timeLimit(.minutes(2)))
struct FaultTests {
  private let page = WebPage(html: "<p>Puffin")

  /// A server that reports a request, and the script of a page that sends it.
  private func server(_ asked: Signal) async throws -> (HTTPServer, ask: String) {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/asked") { _ in
          asked.raise()
          return .text("")
        }
      })
    let url = server.url.appending(path: "asked").absoluteString
    return (server, "try { let x = new XMLHttpRequest(); x.open('GET', '\(url)', false); x.send() } catch {}")
  }

  @Test(
    "killing a browser fails all captures in flight, and the next one starts another browser")
  func killed() async throws {
    let (asked, loading) = (Signal(), Signal())
    let (server, ask) = try await server(asked)
    let (silent, never) = try await startSilentServer(loading)
    let browser = Browser()
    let process = try await browser.running().process
    let pages = [
      (WebPage(html: "<script>\(ask); for (;;);</script>", network: .on), asked),
      // The browser replies to the commands of this page, and only an event is missing.
      (WebPage(html: "<img src='\(never.absoluteString)'>", network: .on), loading),
    ]
    let tasks = pages.map { capturing($0, in: browser, $1) }
    for (_, signal) in pages { await signal.wait() }
    process.kill()
    for task in tasks {
      let error = try #require(await task.value)
      #expect(error.kind == .browserEnded)
    }
    #expect(!process.exists)
    await silent.stop(grace: .zero)
    #expect(try await !browser.png(of: page).isEmpty)
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test("a crash of a page fails its own capture only")
  func crash() async throws {
    let browser = Browser.shared
    let (tab, other) = (try await browser.open(page), try await browser.load(page))
    let error = try #require(await failure { try await browser.run(in: tab) { _ in try await tab.send("Page.crash") } })
    #expect(error.kind == .pageCrashed)
    #expect(try await other.call(Scripts.text) == "Puffin")
    tab.close()
    other.close()
  }

  @Test(
    "a crash by deeply nested elements is reported as such, without a hint at memory",
    arguments: [
      String(repeating: "<b style='display:inline-block'>", count: 3_000) + "x",
      "<body><script>for (let e = document.body, i = 0; i < 3e3; i += 1) e = e.appendChild(document.createElement('p'))</script>",
    ])
  func deepNesting(_ html: String) async throws {
    let error = try #require(await failure { try await Browser.shared.png(of: WebPage(html: html)) })
    #expect(error.kind == .pageCrashed && error.description.contains("nested too deeply"), "\(error)")
    #expect(!error.description.contains("MiB") && !error.description.contains("GiB"), "\(error)")
  }

  @Test("a script that allocates without end is stopped, and the browser continues")
  func memory() async throws {
    let page = WebPage(html: "<script>const all = []; for (;;) all.push(new Array(1e6).fill(1.5))</script>")
    // The clock stands still, because the time for such an allocation depends on the machine.
    let browser = Browser(Browser.Configuration(), clock: ManualClock())
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.kind == .pageCrashed && error.description.contains("512 MiB"))
    #expect(try await browser.text(of: self.page) == "Puffin")
    await browser.close()
  }

  @Test(
    "a page with too much memory outside of script objects is stopped",
    arguments: [
      "all.push(new Uint8Array(1e6).fill(1))",
      "const c = document.createElement('canvas'); c.width = c.height = 500; c.getContext('2d').fillRect(0, 0, 500, 500); all.push(c)",
      "document.documentElement.append(...Array.from({ length: 1e3 }, () => document.createElement('p')))",
    ])
  func ownMemory(_ step: String) async throws {
    try #require(MemoryMonitor.isPossible)
    var options = Browser.Configuration()
    options.pageMemory = 128 << 20
    let browser = Browser(options, clock: ManualClock())
    let hungry = WebPage(html: "<script>const all = []; for (;;) { \(step) }</script>")
    let error = try #require(await failure { try await browser.png(of: hungry) })
    #expect(error.kind == .pageCrashed && error.description.contains("more than 128 MiB"), "\(error)")
    #expect(try await browser.text(of: page) == "Puffin")
    await browser.close()
  }

  @Test("a page that never loads ends at the time limit")
  func never() async throws {
    let asked = Signal()
    let (server, ask) = try await server(asked)
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(), clock: clock)
    try await browser.start()
    let hanging = WebPage(html: "<script>\(ask); for (;;);</script>", network: .on)
    let task = capturing(hanging, in: browser, asked)
    await asked.wait()
    let error = try #require(try await advancing(clock) { await task.value })
    #expect(error.kind == .timedOut)
    #expect(
      error.description.contains(
        "timed out after 30.0 seconds while waiting for the document. Completed: a browser tab."))
    #expect(try await browser.text(of: page) == "Puffin")
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test("a hung script ends the capture within the time limit and one second")
  func hungScript() async throws {
    let asked = Signal()
    let (server, ask) = try await server(asked)
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(), clock: clock)
    try await browser.start()
    let start = clock.now
    var hanging = WebPage(html: "<script>onload = () => { \(ask); for (;;); }</script>", network: .on)
    hanging.timeout = .seconds(2)
    let task = capturing(hanging, in: browser, asked)
    await asked.wait()
    let error = try #require(try await advancing(clock) { await task.value })
    #expect(error.kind == .timedOut && start.duration(to: clock.now) <= .seconds(3), "\(error)")
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test("a document that never arrives ends at the time limit with the current image and document")
  func silentServer() async throws {
    let asked = Signal()
    let (silent, never) = try await startSilentServer(asked)
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(), clock: clock)
    try await browser.start()
    let task = capturing(WebPage(.url(never), network: .on), in: browser, asked)
    await asked.wait()
    // Only the time limit ends, not the limit of the diagnosis.
    try await clock.advanceToNextSleep()
    let error = try #require(await task.value)
    #expect(error.kind == .timedOut && error.attachments.map(\.name) == ["picture.png", "document.html"])
    await browser.close()
    await silent.stop(grace: .zero)
  }

  @Test("a condition that never holds is an error with the state of the page")
  func condition() async throws {
    let asked = Signal()
    let (server, ask) = try await server(asked)
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(), clock: clock)
    try await browser.start()
    var waiting = WebPage(
      html: "<p>Puffin<script>console.log('here'); globalThis.ask = () => { \(ask) }</script>", network: .on)
    waiting.readiness = [.fonts, .predicate("(ask(), false)")]
    let task = capturing(waiting, in: browser, asked)
    await asked.wait()
    try await clock.advanceToNextSleep()
    let error = try #require(await task.value)
    #expect(
      error.description.contains("timed out after 30.0 seconds while waiting for the condition `(ask(), false)`."))
    #expect(error.attachments.map(\.name) == ["picture.png", "document.html", "console.txt"])
    #expect(error.attachments.first { $0.name == "console.txt" }?.data == Data("log: here\n".utf8))
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test("a cancelled capture ends, and frees its slot")
  func cancelled() async throws {
    let asked = Signal()
    let (server, ask) = try await server(asked)
    let browser = Browser(Browser.Configuration(tabs: 1))
    let hanging = WebPage(html: "<script>\(ask); for (;;);</script>", network: .on)
    let task = capturing(hanging, in: browser, asked)
    await asked.wait()
    async let next = browser.text(of: page)
    task.cancel()
    let error = try #require(await task.value)
    #expect(error.kind == .cancelled)
    #expect(try await next == "Puffin")
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test(
    "invalid sizes, zones, selectors, conditions and addresses are errors",
    arguments: [
      (WebPage(.html("<p>", baseURL: nil), viewport: .init(width: 0)), "a viewport of 0×480"),
      (WebPage(.html("<p>", baseURL: nil), viewport: .init(width: 9_000, scale: 2)), "a viewport of 9000×480"),
      (WebPage(.html("<p>", baseURL: nil), timeZone: "Mars/Olympus"), "the time zone `Mars/Olympus`"),
      (WebPage(.html("<p>", baseURL: nil), area: .element("#none")), "element `#none`: no element of the page"),
      (WebPage(.html("<p>", baseURL: nil), area: .element("((")), "not a valid selector"),
      (WebPage(.html("<p>", baseURL: nil), area: .element("")), "the selector is invalid"),
      (WebPage(.html("<p>", baseURL: nil), readiness: [.selector("li[")]), "'li[' is not a valid selector"),
      (WebPage(.html("<p>", baseURL: nil), masks: ["(("]), "Use a CSS selector, such as `#birds li`."),
      (
        WebPage(.html("<p style='height:99999px'>", baseURL: nil), area: .fullPage),
        "at most 16384 pixels"
      ),
      (WebPage(.html("<p>", baseURL: nil), readiness: [.predicate("puffin.size > 1")]), "puffin is not defined"),
      (WebPage(.html("<p>", baseURL: nil), readiness: [.predicate("foo bar")]), "Use a JavaScript expression that"),
      (
        WebPage(.url(URL(string: "http://127.0.0.1:99999/") ?? URL(fileURLWithPath: "/"))),
        "port 99999 is not from 1 to 65535"
      ),
      (
        WebPage(.url(URL(string: "http://puffin.invalid/") ?? URL(fileURLWithPath: "/")), network: .on),
        "the host is not known (net::ERR_NAME_NOT_RESOLVED). Check the host name, and the network."
      ),
      (WebPage(.file(URL(fileURLWithPath: "/none.html"))), "Cannot load /none.html"),
      (WebPage(.url(URL(fileURLWithPath: "/none.html"))), "Cannot load /none.html"),
    ])
  func impossible(_ page: WebPage, _ words: String) async throws {
    let error = try #require(await failure { try await Browser.shared.png(of: page) })
    #expect(error.description.contains(words))
  }

  @Test(
    "a base URL with an unsupported scheme is an error",
    arguments: ["about:blank", "data:text/html,Auk", "chrome://version", "javascript:1", "blob:x", "birds.example/"])
  func impossibleBase(_ base: String) async throws {
    let page = WebPage(html: "<p>Puffin", baseURL: URL(string: base))
    let error = try #require(await failure { try await Browser.shared.text(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains("at \(base): the scheme is not supported"))
  }

  /// Captures a page that sends a request, and raises the signal no later than at the end.
  private func capturing(_ page: WebPage, in browser: Browser, _ asked: Signal) -> Task<WebError?, Never> {
    Task {
      defer { asked.raise() }
      return await failure { try await browser.png(of: page) }
    }
  }
}
