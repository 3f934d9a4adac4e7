import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Memory of pages", .timeLimit(.minutes(2)), .enabled(if: MemoryMonitor.isPossible))
struct MemoryMonitorTests {
  private let page = WebPage(html: "<p>Puffin")

  @Test("a process with much memory is not reused, and is forgotten when it has ended")
  func forgotten() async throws {
    var options = Browser.Configuration()
    options.pageMemory = 400 << 20
    let monitor = ManualClock()
    let browser = Browser(options, clock: ContinuousClock(), memoryClock: monitor)
    let running = try await browser.running()
    let large = WebPage(html: "<p>Auk<script>globalThis.all = new Uint8Array(150 << 20).fill(1)</script>")
    let tab = try await browser.load(large)
    try await running.memory.measure()
    #expect(running.memory.isHigh)
    _ = try await browser.text(of: large)
    #expect(running.pool.count == 0)
    tab.close()
    // Until the processes have ended.
    repeat {
      _ = try await browser.text(of: page)
      try await monitor.advanceToNextSleep()
      try await poll(while: running.memory.isOn)
    } while running.memory.isHigh
    _ = try await browser.text(of: page)
    try await running.waitForIdleTabs()
    await browser.close()
  }

  @Test("the measure is the memory that a process does not share")
  func ownBytes() {
    #expect(MemoryMonitor.ownBytes(in: "Name:\tx\nVmRSS:\t   900 kB\nRssAnon:\t   12 kB\n") == 12 << 10)
    #expect(MemoryMonitor.ownBytes(in: "Name:\tx\nRssAnon:\n") == nil && MemoryMonitor.ownBytes(in: "") == nil)
  }
}
