import TestSupport
import Foundation
import ParallelTesting
import Testing

@testable import WebSnapshotting

@Suite("Reuse of tabs", .timeLimit(.minutes(2)))
struct TabPoolTests {
  private let page = WebPage(html: "<p>Puffin")
  private let options = Browser.Configuration(tabs: 1)

  @Test("a page whose end never returns blocks no capture, and its context is closed after a second")
  func hangingReset() async throws {
    let clock = ManualClock()
    let browser = Browser(options, clock: clock)
    let running = try await browser.running()
    let hanging = WebPage(html: "<p>Auk<script>addEventListener('pagehide', () => { for (;;); })</script>")
    let tab = try await browser.load(hanging)
    running.pool.recycle(tab)
    #expect(try await clock.nextSleep().offset == TabPool.resetLimit)
    #expect(try await browser.text(of: page) == "Puffin")
    try await advancing(clock) { while try await running.contexts().contains(tab.context) {} }
    await browser.close()
  }

  @Test("a tab without an owner is closed with its context")
  func released() async throws {
    let browser = Browser(options)
    let running = try await browser.running()
    var tab: Tab? = try await browser.open(WebPage(html: "<p>Puffin", network: .on))
    #expect(try await running.contexts().count == 1)
    _ = tab
    tab = nil
    while try await running.contexts().count > 0 {}
    await browser.close()
  }

  @Test("a tab is reused up to its maximum number of captures")
  func maximumUses() async throws {
    let browser = Browser(options)
    let running = try await browser.running()
    for (uses, isKept) in [(TabPool.maximumUses - 1, true), (TabPool.maximumUses, false)] {
      let tab = try await browser.load(page)
      for _ in 0..<uses { tab.endUse(keepsWindow: true) }
      tab.beginUse(page)
      running.pool.recycle(tab)
      if isKept {
        try await running.waitForIdleTabs()
        let kept = running.pool.take(for: page)
        #expect(kept === tab)
        kept?.close()
      } else {
        #expect(tab.failure?.kind == .cancelled)
      }
    }
    await browser.close()
  }

  @Test("a tab that cannot be emptied is closed with its context")
  func notEmptied() async throws {
    let browser = Browser(options)
    let (running, tab) = (try await browser.running(), try await browser.load(page))
    try await tab.call("() => { Object.defineProperty(Document.prototype, 'activeElement', { get: () => 1 }) }")
    running.pool.recycle(tab)
    while try await running.contexts().contains(tab.context) {}
    #expect(running.pool.count == 0)
    await browser.close()
  }

  @Test("idle tabs whose process has ended are not used")
  func endedProcess() async throws {
    let browser = Browser(options)
    let running = try await browser.running()
    _ = try await browser.text(of: page)
    try await running.waitForIdleTabs()
    let processes = { () async throws -> Set<Int> in
      let reply = try await running.connection.send("SystemInfo.getProcessInfo")
      let renderers = (reply["processInfo"]?.array ?? []).filter { $0["type"]?.string == "renderer" }
      return Set(renderers.compactMap { $0["id"]?.integer })
    }
    let killed = try await processes()
    for process in killed { running.process.kill(descendant: pid_t(process)) }
    while try await !processes().isDisjoint(with: killed) {}
    #expect(try await browser.text(of: page) == "Puffin")
    await browser.close()
  }

  @Test("a tab is reused after text without a network and without a base URL, and for the same clock only")
  func reuse() async throws {
    let browser = Browser(options)
    let running = try await browser.running()
    let base = URL(string: "https://birds.example/")
    var waiting = page
    waiting.readiness = [.networkIdle(for: .milliseconds(1))]
    for (page, isReusable) in [
      (page, true), (WebPage(html: "<script>1</script>"), true), (WebPage(html: "<p>", baseURL: base), false),
      (WebPage(html: "", network: .on), false), (WebPage(html: "", network: .responses([:])), false), (waiting, false),
      (WebPage(file: URL(fileURLWithPath: "/a.html")), false),
    ] {
      #expect(page.isReusable == isReusable)
    }
    _ = try await browser.text(of: page)
    try await running.waitForIdleTabs()
    var other = page
    other.now = nil
    #expect(running.pool.take(for: other) == nil)
    #expect(running.pool.take(for: page)?.uses == 1)
    await browser.close()
  }

  @Test("the pool of a browser that has ended is empty")
  func endedBrowser() async throws {
    let browser = Browser(options)
    let running = try await browser.running()
    _ = try await browser.text(of: page)
    try await running.waitForIdleTabs()
    await running.close()
    try await poll(while: running.pool.count > 0)
    #expect(try await browser.text(of: page) == "Puffin")
    await browser.close()
  }
}
