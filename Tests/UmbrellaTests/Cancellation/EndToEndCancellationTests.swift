import Boundaries
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import FuturesNetworkingCurl
import Loopback
import OrderTakingClients
import OrderTakingJournal
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Terminal
import Testing
import WebSnapshotting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor
@Suite("End-to-end cancellation", .timeLimit(.minutes(10)))
struct EndToEndCancellationTests {
  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 32
    // With a cache, cancelled requests continue on Linux.
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  private func taker(at url: URL, on clock: ManualClock) -> OrderTaker<String> {
    OrderTaker(
      httpClient: .live(at: url, over: .curl()) { String(decoding: $0, as: UTF8.self) }, journal: .inMemory(),
      policy: .standard,
      timers: clock.timers, deliveringOn: immediateExecutionContext)
  }

  @Test(
    "going back from an order's screen, or releasing the app, cancels the order", arguments: [true, false])
  func leavingFlowCancelsOrder(goesBack: Bool) async throws {
    let (stalling, clock) = (try await StallingServer.start(), ManualClock())
    let taker = taker(at: stalling.url, on: clock)
    var driver: TerminalApp? = TerminalApp.driver(offers: ["7"], taker: taker)
    _ = await driver?.run(try TerminalScript("enter"))
    driver?.receive(.key(.enter))
    await stalling.waitForPendingRequests(1)
    if goesBack {
      driver?.receive(.key(.escape))
      await driver?.navigator.waitUntilIdle()
      #expect(driver?.navigator.coordinators == [CoordinatorID("application")])
      #expect(driver?.navigator.navigation?.front.screen == .offer("7"))
    } else {
      driver = nil
    }
    await stalling.waitForPendingRequests(0)
    try await taker.end(of: "7")
    try await clock.idle()
    #expect(taker.ordersUnderWay.isEmpty)
    await stalling.server.stop()
  }

  @Test("cancelling one task cancels its requests, orders, push channel and page capture")
  func cancellingTaskCancelsEverything() async throws {
    let (folder, clock, closing) = (try TemporaryFolder(), ManualClock(), Promise<Void, Never>())
    let (stalling, dispatch) = (try await StallingServer.start(), try await TestOrderServer())
    let journal = try SQLiteJournal(at: folder.file("orders.sqlite"), server: "test")
    let stories = WebApp.stories(at: stalling.url, until: closing.future)
    try stories.open("umbrella://stories/2")
    let web = try await HTTPServer.start(stories.router)
    var page = WebPage(url: stalling.url.appending(path: "page"))
    page.timeout = .seconds(3_600)
    let outermost = Task { [page] in
      try await withTaskCancellationHandler {
        let taker = await dispatch.driver(
          asking: stalling.url, journal: journal.journal(of: "ann"), timers: clock.timers, policy: .standard)
        let driver = TerminalApp.driver(offers: ["8"], taker: taker)
        defer { withExtendedLifetime(driver) {} }
        _ = await driver.run(try TerminalScript("enter"))
        driver.receive(.key(.enter))
        async let order = taker.acceptance(of: "7")
        async let pictures = (1...3).map { number in
          session.dataFuture(with: stalling.url.appending(path: "pictures/\(number)"), within: .seconds(5), on: clock)
        }.sequence().get()
        async let story = session.dataFuture(with: web.url).get()
        async let text = Browser.shared.text(of: page)
        return (try await text, try await pictures, try await order, try await story)
      } onCancel: {
        closing.success(())
      }
    }
    await stalling.waitForPendingRequests(7)
    outermost.cancel()
    let error = await #expect(throws: WebError.self) { try await outermost.value }
    #expect(error?.kind == .cancelled)
    await stalling.waitForPendingRequests(0)
    await dispatch.waitForRequest("push closed")
    try await clock.idle()
    #expect(
      try await journal.storage.list(RecordQuery(states: [.unfinished, .unknown])).get().map(\.id.order) == ["7", "8"])
    try await journal.close().get()
    await web.stop()
    await dispatch.server.close()
    await stalling.server.stop()
  }
}
