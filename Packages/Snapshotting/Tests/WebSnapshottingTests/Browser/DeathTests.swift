import Foundation
import ParallelTesting
import TestSupport
import Snapshotting
import Testing

@testable import WebSnapshotting

@Suite("End of a browser", .timeLimit(.minutes(2)))
struct DeathTests {
  private let page = WebPage(html: "<p>Puffin")

  @Test("waiting for an event fails when the browser ends, and so does a later wait")
  func event() async throws {
    let browser = Browser()
    let (process, tab) = (try await browser.running().process, try await browser.open(page))
    let waiting = Task { await failure { try await tab.wait { _ in false } } }
    process.kill()
    #expect(await waiting.value?.kind == .browserEnded)
    #expect(await failure { try await tab.wait { _ in false } }?.kind == .browserEnded)
    tab.close()
    await browser.close()
  }

  @Test("captures in flight fail with the browser's standard error, and the next one starts another browser")
  func all() async throws {
    let clock = ManualClock()
    let browser = Browser(
      Browser.Configuration(executable: try program("hangs-after-start"), sandbox: .off), clock: clock)
    let process = try await browser.running().process
    let captures = (0..<4).map { _ in Task { await failure { try await browser.png(of: page) } } }
    // The captures wait for their own time limits at the same time.
    try await clock.sleeps(count: 4)
    process.kill()
    for capture in captures {
      let error = await capture.value
      #expect(error?.kind == .browserEnded)
      #expect(error?.attachments.map { String(decoding: $0.data, as: UTF8.self) } == ["out of luck\n"])
    }
    #expect(!process.exists)
    #expect(try await browser.running().process !== process)
    await browser.close()
  }

  @Test("a browser that hangs fails the captures in flight only, within the time limit and one second")
  func hangs() async throws {
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(), clock: clock)
    let running = try await browser.running()
    _ = try await browser.png(of: page)
    try await running.waitForIdleTabs()
    let start = clock.now
    _ = kill(-running.process.process, SIGSTOP)
    // The first one uses an idle tab, the second one opens a tab.
    let online = WebPage(.html("<p>Auk", baseURL: nil), network: .on)
    let captures = [page, online].map { page in Task { await failure { try await browser.png(of: page) } } }
    // Both limits start before the clock advances.
    try await clock.sleeps(count: 2)
    for capture in captures {
      let error = try #require(try await advancing(clock) { await capture.value })
      #expect(error.kind == .timedOut, "\(error)")
    }
    #expect(start.duration(to: clock.now) <= page.timeout + .seconds(1))
    #expect(running.process.exists)
    async let text = browser.text(of: page)
    // The limit of the response.
    try await clock.advanceToNextSleep()
    #expect(try await text == "Puffin" && !running.process.exists)
    await browser.close()
  }

  #if os(Linux)
    @Test("a process that left the browser's group does not delay the end")
    func orphan() async throws {
      // The clock stands still, so the time limit of the start cannot end it.
      let browser = Browser(
        Browser.Configuration(executable: try program("leaves-an-orphan"), sandbox: .off), clock: ManualClock())
      let error = try #require(await failure { try await browser.start() })
      let words = error.description.split { " .\n".contains($0) }
      let orphan = try #require(words.firstIndex(of: "orphan").flatMap { pid_t(words[words.index(after: $0)]) })
      #expect(kill(orphan, SIGKILL) == 0, "It was waited for.")
      #expect(error.kind == .cannotStart)
    }
  #endif

  @Test("a child that the browser leaves in its group is killed")
  func child() async throws {
    let temporary = try TemporaryFolder()
    let probe = try Probe("capture", temporary: temporary, variables: standIn("leaves-a-child"))
    // The probe ends when all processes have closed the inherited descriptor.
    #expect(await probe.end() != 0)
    #expect(temporary.contents.isEmpty)
  }

  @Test(
    "after its owner was killed, a browser's group is killed before its folder is removed",
    arguments: [("what hears of nothing", "runs-beside-a-child"), ("what still writes there", "leaves-a-writer")])
  func ownerKilled(_ what: String, standIn name: String) async throws {
    let temporary = try TemporaryFolder()
    let probe = try Probe("start", temporary: temporary, variables: standIn(name))
    #expect(await probe.browserLine() == "running")
    kill(probe.process, SIGKILL)
    #expect(await probe.end() == -SIGKILL)
    #expect(temporary.contents.isEmpty)
  }

  @Test("the shell of a released browser cleans up without its owner")
  func letGo() async throws {
    let temporary = try TemporaryFolder()
    // A process outside of the group delays the clean-up of the owner, which is killed before.
    let probe = try Probe("drop", temporary: temporary, variables: standIn("leaves-a-reader"))
    let orphan = try #require(await probe.browserLine().flatMap { pid_t($0) })
    #expect(await probe.end() == -SIGKILL)
    #expect(temporary.contents.isEmpty)
    #expect(kill(orphan, SIGKILL) == 0)
  }

  private func standIn(_ name: String) throws -> [String: String] {
    ["WEB_SNAPSHOTTING_BROWSER": try program(name), "WEB_SNAPSHOTTING_SANDBOX": "off"]
  }

  @Test("only processes of the browser's group are killed")
  func stranger() async throws {
    let browser = Browser(Browser.Configuration(executable: try program("hangs-after-start"), sandbox: .off))
    let process = try await browser.running().process
    let stranger = try ChildProcess("/bin/sleep", ["86400"])
    process.kill(descendant: stranger.processIdentifier)
    stranger.send(SIGTERM)
    #expect(await stranger.outcome().status == -SIGTERM)
    await browser.close()
  }

  @Test("a browser that has ended is deallocated")
  func deallocated() async throws {
    let browser = Browser()
    _ = try await browser.text(of: page)
    weak let running = try await browser.running()
    let process = try #require(running?.process)
    process.kill()
    await process.waitUntilEnded()
    #expect(running?.isAlive != true)
    #expect(try await browser.running().isAlive)
    try await poll(while: running != nil)
    await browser.close()
  }

  @Test("a browser without an owner ends")
  func dropped() async throws {
    var browser: Browser? = Browser()
    _ = try await browser?.png(of: page)
    let process = try #require(try await browser?.running().process)
    browser = nil
    await process.waitUntilEnded()
    #expect(!process.exists)
  }
}
