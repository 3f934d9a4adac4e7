import Foundation
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
    var options = Browser.Configuration(environment: nil)
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
}
