import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Start of a browser and opening of tabs", .timeLimit(.minutes(2)))
struct StartTests {
  private let page = WebPage(html: "<p>Puffin")

  /// A browser that does not answer, and the clock of its limits.
  private func stalling(_ name: String, tabs: Int = 4) throws -> (Browser, ManualClock) {
    let clock = ManualClock()
    let configuration = Browser.Configuration(executable: try program(name), sandbox: .off, tabs: tabs)
    return (Browser(configuration, clock: clock), clock)
  }

  @Test("a start without waiters ends, and no process remains", arguments: [SIGINT, SIGKILL])
  func interrupted(by signal: Int32) async throws {
    let temporary = try TemporaryFolder()
    let probe = try Probe(
      "start", temporary: temporary,
      variables: ["WEB_SNAPSHOTTING_BROWSER": try program("says-it-runs"), "WEB_SNAPSHOTTING_SANDBOX": "off"])
    #expect(await probe.line() == "ready")
    #expect(await probe.browserLine() == "running")
    kill(probe.process, signal)
    #expect(await probe.end() == (signal == SIGINT ? 130 : -SIGKILL))
    #expect(temporary.contents.isEmpty)
  }

  @Test("a cancelled waiter does not affect the others, and the last one ends the start")
  func shared() async throws {
    let (browser, clock) = try stalling("says-nothing")
    let captures = (0..<2).map { _ in Task { await failure { try await browser.png(of: page) } } }
    try await clock.nextSleep()
    captures[0].cancel()
    #expect(await captures[0].value?.kind == .cancelled)
    let other = try await advancing(clock) { await captures[1].value }
    #expect(other?.kind == .cannotStart)
    let last = Task { await failure { try await browser.png(of: page) } }
    try await clock.nextSleep()
    last.cancel()
    #expect(await last.value?.kind == .cancelled)
    #expect(clock.armedCount == 0)
  }

  @Test("closing a browser ends its start")
  func closed() async throws {
    let (browser, clock) = try stalling("says-nothing")
    let start = Task { await failure { try await browser.start() } }
    try await clock.nextSleep()
    await browser.close()
    #expect(await start.value == .closed)
    #expect(clock.armedCount == 0)
  }

  @Test(
    "a browser that hangs while a tab opens fails the capture at the time limit, and the next one starts another browser"
  )
  func hanging() async throws {
    let (browser, clock) = try stalling("hangs-after-start")
    let process = try await browser.running().process
    let capture = Task { await failure { try await browser.png(of: page) } }
    try await clock.nextSleep()
    let error = try #require(try await advancing(clock) { await capture.value })
    #expect(error.kind == .timedOut)
    #expect(error.description.hasPrefix("Cannot open a browser tab: timed out after 30.0 seconds."), "\(error)")
    async let next = browser.running()
    // The limit of the response.
    try await clock.advanceToNextSleep()
    #expect(try await next.process !== process && !process.exists)
    await browser.close()
  }

  @Test(
    "a tab that crashes while it opens is opened again once",
    arguments: [1, 9])
  func dead(_ count: Int) async throws {
    let temporary = try TemporaryFolder()
    let program = temporary.file("stand-in-dead-\(count)")
    try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: try Probe.program)
    // Time does not pass.
    let browser = Browser(Browser.Configuration(executable: program, sandbox: .off), clock: ManualClock())
    if count == 1 {
      #expect(try await browser.png(of: page) == Data("Puffin".utf8))
    } else {
      #expect(await failure { try await browser.png(of: page) }?.kind == .pageCrashed)
    }
    await browser.close()
  }

  #if os(Linux)
    @Test("a browser has the usual priority")
    func priority() async throws {
      let browser = Browser(Browser.Configuration(executable: try program("hangs-after-start"), sandbox: .off))
      // As root the priority could be higher.
      let shell = try await browser.running().process.process
      let which = __priority_which_t(PRIO_PROCESS.rawValue)
      // Dispatch gives its threads the usual priority.
      #expect([0, getpriority(which, id_t(getpid()))].contains(getpriority(which, id_t(shell))))
      await browser.close()
    }
  #endif

  @Test("a capture that is cancelled while its tab opens ends at once, and frees its slot")
  func cancelledOpening() async throws {
    let (browser, clock) = try stalling("hangs-after-start", tabs: 1)
    try await browser.start()
    for _ in 0..<3 {
      let capture = Task { await failure { try await browser.png(of: page) } }
      try await clock.nextSleep()
      capture.cancel()
      #expect(await capture.value?.kind == .cancelled)
    }
    await browser.close()
  }
}
