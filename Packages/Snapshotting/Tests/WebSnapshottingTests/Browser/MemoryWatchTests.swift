import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("The watch over the memory of pages", .timeLimit(.minutes(2)), .enabled(if: MemoryWatch.isPossible))
struct MemoryWatchTests {
  private let page = WebPage(html: "<p>Puffin")

  @Test("One large page is forgotten when it is gone, also by captures that are all shorter than it takes to look")
  func forgotten() async throws {
    var options = Browser.Configuration()
    options.pageMemory = 400 << 20
    let watch = ManualClock()
    let browser = Browser(options, clock: ContinuousClock(), memoryClock: watch)
    let large = WebPage(html: "<p>Auk<script>globalThis.all = new Uint8Array(150 << 20).fill(1)</script>")
    let (running, tab) = (try await browser.running(), try await browser.open(large))
    try await tab.work(within: .seconds(60), on: ContinuousClock()) { try await tab.load(large, $0) }
    try await watch.advanceToNextSleep()
    try await watch.nextSleep()
    #expect(running.memory.sawMuch)
    tab.close()
    // Until its process has gone.
    repeat {
      _ = try await browser.text(of: page)
      // It looks once more when nothing is in use, and then at nothing.
      try await watch.advanceToNextSleep()
      while running.memory.isOn { await Task.yield() }
    } while running.memory.sawMuch
    let next = try await browser.open(page)
    try await next.work(within: .seconds(60), on: ContinuousClock()) { [page] in try await next.load(page, $0) }
    let count = running.spareOrigins.count
    next.close()
    #expect(running.spareOrigins.count == count + 1)
    await browser.close()
  }
}
