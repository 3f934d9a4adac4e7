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

/// Each test starts work on real servers, cancels the outermost operation, and checks the servers and processes.
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

  /// Sends several concurrent requests, each with retries after a second.
  private func pictures(
    _ count: Int, at url: URL, within limit: Duration? = nil, on clock: ManualClock
  ) -> Future<[Data], NetworkError> {
    (1...count).map { number in
      retry(RetryPolicy(attempts: 3, backoff: .constant(.seconds(1)), jitter: .none, clock: clock)) { [session] _ in
        session.dataFuture(with: url.appending(path: "pictures/\(number)"), within: limit, on: clock)
          .map(immediateExecutionContext) { $0.0 }
      }
    }.sequence()
  }

  /// The arguments of a command with the maximum timeout.
  private static func takingOrder7(at url: URL) -> [String] {
    ["order", "take", "7", "--server", url.absoluteString, "--timeout", "120"]
  }

  private func taker(at url: URL, on clock: ManualClock) -> OrderTaker<String, String> {
    OrderTaker(
      httpClient: .live(at: url, over: .curl()) { String(decoding: $0, as: UTF8.self) }, journal: .inMemory(),
      policy: .standard,
      timers: clock.timers, deliveringOn: immediateExecutionContext)
  }

  @Test("cancelling a sequence of futures cancels all requests and their timeouts")
  func cancellingFutureCancelsRequests() async throws {
    let (stalling, clock) = (try await StallingServer.start(), ManualClock())
    let pictures = pictures(8, at: stalling.url, within: .seconds(5), on: clock)
    await stalling.waitForPendingRequests(8)
    try await clock.sleeps(count: 8)
    pictures.cancel()
    await stalling.waitForPendingRequests(0)
    try await clock.idle()
    #expect(pictures.error?.kind == .cancelled)
    await stalling.server.stop()
  }

  @Test("cancelling a sequence of futures during back-off starts no further attempts")
  func cancellingFutureStopsRetries() async throws {
    let clock = ManualClock()
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {}.mapReplies { request, _ in
        requests.append(request.path)
        return .reset
      })
    let pictures = pictures(4, at: server.url, on: clock)
    try await clock.sleeps(count: 4)
    pictures.cancel()
    try await clock.idle()
    clock.advance(by: .seconds(60))
    // Any remaining request would reach the server before this one.
    await #expect(throws: NetworkError.self) {
      try await session.dataFuture(with: server.url.appending(path: "last")).get()
    }
    #expect(requests.all.sorted() == ["/last"] + (1...4).map { "/pictures/\($0)" })
    await server.stop()
  }

  @Test("cancelling the task that waits for an order cancels the order's request and timers")
  func cancellingTaskCancelsOrder() async throws {
    let (stalling, clock) = (try await StallingServer.start(), ManualClock())
    let taker = taker(at: stalling.url, on: clock)
    let waiting = Task { try await taker.acceptance(of: "7") }
    await stalling.waitForPendingRequests(1)
    #expect(clock.armedCount > 0)
    waiting.cancel()
    let failure = await #expect(throws: OrderTakingFailure.self) { try await waiting.value }
    #expect(failure?.kind == .unknown)
    await stalling.waitForPendingRequests(0)
    try await taker.end(of: "7")
    try await clock.idle()
    #expect(taker.ordersUnderWay.isEmpty)
    await stalling.server.stop()
  }

  @Test("terminating a command cancels its request")
  func terminatingCommandCancelsRequest() async throws {
    let stalling = try await StallingServer.start()
    let command = try ChildProcess.demo(Self.takingOrder7(at: stalling.url))
    await stalling.waitForPendingRequests(1)
    command.send(SIGTERM)
    await stalling.waitForPendingRequests(0)
    let outcome = await command.outcome()
    #expect(outcome.status == 143 && outcome.errors.contains("The outcome of order 7 is unknown"), "\(outcome)")
    await stalling.server.stop()
  }

  /// Returns a pipe's path and a reader, which ends when the last process closes the writing end.
  private func pipe(in folder: TemporaryFolder) throws -> (path: String, reader: ChildProcess) {
    let path = folder.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    return (path, try ChildProcess("/bin/cat", [path]))
  }

  /// Starts a command that holds the writing end of a pipe, as its child processes do.
  private func command(at url: URL, holding pipe: String) throws -> ChildProcess {
    try ChildProcess(
      "/bin/bash",
      ["-c", #"exec "$@" 9> "$0""#, pipe, ChildProcess.path(besideTests: "demo")] + Self.takingOrder7(at: url))
  }

  @Test("releasing the handle of a command ends the command and its request")
  func releasingCommandEndsIt() async throws {
    let (stalling, folder) = (try await StallingServer.start(), try TemporaryFolder())
    let (pipe, reader) = try pipe(in: folder)
    var command: ChildProcess? = try command(at: stalling.url, holding: pipe)
    await stalling.waitForPendingRequests(1)
    #expect(command != nil)
    command = nil
    await stalling.waitForPendingRequests(0)
    // The reader ends because all processes of the command have closed the pipe.
    #expect(await reader.outcome().status == 0)
    await stalling.server.stop()
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

  @Test("releasing an order taker closes its push channel and stops the heartbeats")
  func releasingOrderTakerClosesPush() async throws {
    let (dispatch, clock) = (try await TestOrderServer(), ManualClock())
    var taker: OrderTaker? = await dispatch.driver(timers: clock.timers)
    #expect(taker?.ordersUnderWay.isEmpty == true && clock.armedCount > 0)
    taker = nil
    await dispatch.waitForRequest("push closed")
    try await clock.idle()
    clock.advance(by: .seconds(60))
    #expect(clock.armedCount == 0)
    // A reconnection of the first taker would be reported before this connection.
    taker = await dispatch.driver(token: "bob's")
    #expect(taker?.ordersUnderWay.isEmpty == true)
    taker = nil
    #expect(await dispatch.waitForRequest("push closed") == ["push connected"])
    await dispatch.server.stop()
  }

  @Test("closing the client cancels the fetch of a story, and the page shows the cancellation")
  func closingClientCancelsFetch() async throws {
    let (stalling, closing) = (try await StallingServer.start(), Promise<Void, Never>())
    let app = WebApp.stories(at: stalling.url, until: closing.future)
    try app.open("umbrella://stories/2")
    let web = try await HTTPServer.start(app.router)
    let page = session.dataFuture(with: web.url)
    await stalling.waitForPendingRequests(1)
    closing.success(())
    await stalling.waitForPendingRequests(0)
    let (body, _) = try await page.get()
    #expect(String(decoding: body, as: UTF8.self).contains("Cancelled."))
    await web.stop()
    await stalling.server.stop()
  }

  @Test(
    "cancelling one task cancels its requests, orders, push channel, command and page capture")
  func cancellingTaskCancelsEverything() async throws {
    let (folder, clock, closing) = (try TemporaryFolder(), ManualClock(), Promise<Void, Never>())
    let (stalling, dispatch) = (try await StallingServer.start(), try await TestOrderServer())
    let browser = try await Browser.identifiable(by: folder)
    try await browser.start()
    let processes = RunningProcess.all(startedFrom: folder)
    #if os(Linux)
      #expect(processes.count > 2)
    #endif
    let journal = try SQLiteJournal<String>(at: folder.file("orders.sqlite"), server: "test")
    let stories = WebApp.stories(at: stalling.url, until: closing.future)
    try stories.open("umbrella://stories/2")
    let web = try await HTTPServer.start(stories.router)
    let (pipe, reader) = try pipe(in: folder)
    var page = WebPage(url: stalling.url.appending(path: "page"))
    page.timeout = .seconds(3_600)
    let outermost = Task { [page] in
      try await withTaskCancellationHandler {
        let taker = await dispatch.driver(
          asking: stalling.url, journal: journal.journal, timers: clock.timers, policy: .standard)
        let command = try command(at: stalling.url, holding: pipe)
        let driver = TerminalApp.driver(offers: ["8"], taker: taker)
        defer { withExtendedLifetime((command, driver)) {} }
        _ = await driver.run(try TerminalScript("enter"))
        driver.receive(.key(.enter))
        async let order = taker.acceptance(of: "7")
        async let pictures = pictures(3, at: stalling.url, within: .seconds(5), on: clock).get()
        async let story = session.dataFuture(with: web.url).get()
        async let text = browser.text(of: page)
        return (try await text, try await pictures, try await order, try await story)
      } onCancel: {
        closing.success(())
      }
    }
    await stalling.waitForPendingRequests(8)
    outermost.cancel()
    let error = await #expect(throws: WebError.self) { try await outermost.value }
    #expect(error?.kind == .cancelled)
    // The page's request is cancelled, too. The browser continues until the test closes it.
    await stalling.waitForPendingRequests(0)
    await dispatch.waitForRequest("push closed")
    try await clock.idle()
    #expect(await reader.outcome().status == 0)
    #expect(
      try await journal.records().get().filter { !$0.hasKnownOutcome }.map(\.intent.order).sorted() == ["7", "8"])
    #if os(Linux)
      #expect(!Set(processes).isDisjoint(with: RunningProcess.all))
    #endif
    await browser.close()
    #expect(Set(processes).isDisjoint(with: RunningProcess.all))
    #expect(RunningProcess.all(startedFrom: folder).isEmpty)
    journal.close()
    await web.stop()
    await dispatch.server.stop()
    await stalling.server.stop()
  }
}
