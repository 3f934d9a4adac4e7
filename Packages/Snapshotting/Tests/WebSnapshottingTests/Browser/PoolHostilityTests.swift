import Foundation
import Loopback
import ParallelTesting
import Testing

@testable import WebSnapshotting

@Suite("Pages that would harm the captures behind them", .timeLimit(.minutes(2)))
struct PoolHostilityTests {
  private let page = WebPage(html: "<p>Puffin")
  /// It is captured well, and never ends when its document is to go.
  private let clinging = WebPage(html: "<p>Auk<script>addEventListener('pagehide', () => { for (;;); })</script>")

  @Test("One that does not go holds up no capture for longer than a second, and its context is given up")
  func clings() async throws {
    let clock = ManualClock()
    var options = Browser.Configuration()
    options.tabs = 1
    let browser = Browser(options, clock: clock)
    let running = try await browser.running()
    let tab = try await browser.open(clinging)
    try await tab.work(within: .seconds(60), on: ContinuousClock()) { [clinging] in try await tab.load(clinging, $0) }
    let context = tab.context
    tab.close()
    // Nothing else sleeps: it is being emptied.
    #expect(try await clock.nextSleep().offset == Tab.emptyingLimit)
    // The context before it, then the one that is stuck, which is given up within the time of the capture that waits for it.
    #expect(try await browser.text(of: page) == "Puffin")
    let next = Task { try await browser.text(of: page) }
    // That of its capture, and that of the emptying.
    try await clock.sleeps(count: 2)
    clock.advance(by: Tab.emptyingLimit)
    #expect(try await next.value == "Puffin")
    #expect(try await browser.text(of: page) == "Puffin")
    while true {
      let contexts = try await running.connection.send("Target.getBrowserContexts")["browserContextIds"]?.array ?? []
      if !contexts.contains(.string(context)) { break }
    }
    await browser.close()
  }

  /// How many contexts the browser has.
  private func contexts(of running: RunningBrowser) async throws -> Int {
    try await running.connection.send("Target.getBrowserContexts")["browserContextIds"]?.array?.count ?? 0
  }

  @Test("A tab that nobody has any more goes with its context, and so does the slot that it took")
  func dropped() async throws {
    var options = Browser.Configuration()
    options.tabs = 1
    let browser = Browser(options)
    let running = try await browser.running()
    let online = WebPage(html: "<p>Puffin", network: .on)
    var tab: Tab? = try await browser.open(online)
    #expect(try await contexts(of: running) == 1)
    _ = tab
    tab = nil
    while try await contexts(of: running) > 0 {}
    #expect(try await browser.text(of: online) == "Puffin")
    await browser.close()
  }

  @Test("A view that nobody has any more lets the next one have its tab")
  func droppedView() async throws {
    var options = Browser.Configuration()
    options.tabs = 1
    let browser = Browser(options)
    var view: WebView? = WebView(page, in: browser)
    try await view?.loaded()
    view = nil
    #expect(try await browser.text(of: page) == "Puffin")
    await browser.close()
  }

  @Test("A context that was used as often as one may be is used no more")
  func mostUses() async throws {
    let browser = Browser()
    for (uses, isKept) in [(Tab.mostUses - 1, true), (Tab.mostUses, false)] {
      let opened = try await browser.open(page)
      let running = opened.browser
      let tab = Tab(
        running, context: opened.context, session: opened.session, mainFrame: opened.state.mainFrame, uses: uses)
      tab.setPage(page)
      let count = running.spareOrigins.count
      tab.close()
      #expect(running.spareOrigins.count == (isKept ? count + 1 : count), "\(uses)")
      opened.close()
    }
    await browser.close()
  }

  @Test("A window that cannot be emptied is not used again, and its context goes")
  func notEmptied() async throws {
    let browser = Browser()
    let (running, tab) = (try await browser.running(), try await browser.open(page))
    try await tab.work(within: .seconds(60), on: ContinuousClock()) { [page] in try await tab.load(page, $0) }
    try await tab.call("() => { Object.defineProperty(Document.prototype, 'activeElement', { get: () => 1 }) }")
    #expect(await failure { try await tab.successor() } != nil)
    while try await running.connection.send("Target.getBrowserContexts")["browserContextIds"]?.array?
      .contains(.string(tab.context)) == true
    {}
    tab.close()
    await browser.close()
  }

  @Test("Contexts whose processes have ended while they waited are passed over")
  func deadSpares() async throws {
    let browser = Browser()
    let running = try await browser.running()
    for _ in 0..<2 { _ = try await browser.text(of: page) }
    let renderers: @Sendable () async throws -> Set<Int> = {
      let reply = try await running.connection.send("SystemInfo.getProcessInfo")
      let renderers = (reply["processInfo"]?.array ?? []).filter { $0["type"]?.string == "renderer" }
      return Set(renderers.compactMap { $0["id"]?.integer })
    }
    let killed = try await renderers()
    for process in killed { running.process.kill(descendant: pid_t(process)) }
    // Until the browser knows, which tells whose they were in the same moment.
    while try await !renderers().isDisjoint(with: killed) {}
    for _ in 0..<3 { #expect(try await browser.text(of: page) == "Puffin") }
    await browser.close()
  }

  @Test("A view that is closed while it loads tells its delegate so")
  func closedView() async throws {
    let asked = Signal()
    let (server, never) = try await startSilentServer(asked)
    let delegate = FailureDelegate()
    let view = WebView(WebPage(html: "<img src='\(never.absoluteString)'>", network: .on))
    view.navigationDelegate = delegate
    view.load()
    await asked.wait()
    view.close()
    #expect(await delegate.error().kind == .cancelled)
    await server.stop(grace: .zero)
  }
}

/// Waits for the failure of a view.
private final class FailureDelegate: NavigationDelegate {
  private let (errors, tell) = AsyncStream.makeStream(of: WebError.self)

  func webViewDidFinish(_ webView: WebView) { Issue.record("It has loaded.") }

  func webView(_ webView: WebView, didFail error: WebError) { tell.yield(error) }

  func error() async -> WebError { await errors.first { _ in true } ?? .browserEnded }
}
