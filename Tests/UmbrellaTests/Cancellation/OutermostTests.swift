import Boundaries
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import Loopback
import OrderTakingClients
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import Terminal
import Testing
import WebSnapshotting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Each test begins something on real servers, ends the outermost thing, and looks at what is left at the far ends.
@MainActor
@Suite("Ending the outermost thing ends", .timeLimit(.minutes(10)))
struct OutermostTests {
  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 32
    // With a cache, requests that are cancelled would go on unseen on Linux.
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  /// As the birds' pictures: several requests at once, tried again after a second.
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

  /// The words of a command that takes as long as it may.
  private static func takingOrder7(at url: URL) -> [String] {
    ["order", "take", "7", "--server", url.absoluteString, "--timeout", "120"]
  }

  private func taker(at url: URL, on clock: ManualClock) -> OrderTaker<String, String> {
    OrderTaker(
      httpClient: .live(at: url, over: .tcp()) { String(decoding: $0, as: UTF8.self) }, policy: .standard,
      timers: clock.timers, deliveringOn: immediateExecutionContext)
  }

  @Test("the requests of a future, and their limits")
  func requests() async throws {
    let (held, clock) = (try await HoldingServer.start(), ManualClock())
    let pictures = pictures(8, at: held.url, within: .seconds(5), on: clock)
    await held.holds(8)
    try await clock.sleeps(count: 8)
    pictures.cancel()
    await held.holds(0)
    try await clock.idle()
    #expect(pictures.error?.kind == .cancelled)
    await held.server.stop()
  }

  @Test("the pauses between a future's attempts: none is made after it")
  func pauses() async throws {
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
    #expect(requests.all.count == 4)
    await server.stop()
  }

  @Test("an order's request and its timers, when the task is cancelled that waits for it")
  func order() async throws {
    let (held, clock) = (try await HoldingServer.start(), ManualClock())
    let taker = taker(at: held.url, on: clock)
    let waiting = Task { try await taker.acceptance(of: "7") }
    await held.holds(1)
    #expect(clock.armedCount > 0)
    waiting.cancel()
    let failure = await #expect(throws: OrderTakingFailure.self) { try await waiting.value }
    #expect(failure?.kind == .unknown)
    await held.holds(0)
    await taker.end(of: "7")
    try await clock.idle()
    #expect(taker.ordersUnderWay.isEmpty)
    await held.server.stop()
  }

  @Test("a command and its request, when the task is cancelled that waits for it")
  func command() async throws {
    let held = try await HoldingServer.start()
    let command = try ChildProcess.demo(Self.takingOrder7(at: held.url))
    let process = RunningProcess.all.filter { $0.processIdentifier == command.processIdentifier }
    let waiting = Task {
      await withTaskCancellationHandler {
        await command.outcome()
      } onCancel: {
        command.send(SIGTERM)
      }
    }
    await held.holds(1)
    waiting.cancel()
    let outcome = await waiting.value
    #expect(outcome.status == 143 && outcome.errors.contains("Order 7 may be yours"), "\(outcome)")
    await held.holds(0)
    #if os(Linux)
      #expect(process.count == 1 && Set(process).isDisjoint(with: RunningProcess.all))
    #endif
    await held.server.stop()
  }

  @Test("a command that nobody holds any more")
  func abandoned() async throws {
    let held = try await HoldingServer.start()
    var command: ChildProcess? = try .demo(Self.takingOrder7(at: held.url))
    let process = RunningProcess.all.filter { $0.processIdentifier == command?.processIdentifier }
    await held.holds(1)
    command = nil
    await held.holds(0)
    #if os(Linux)
      // It was killed, and not told to end: it would have asked again after its request.
      #expect(process.count == 1)
      while !Set(process).isDisjoint(with: RunningProcess.all) { await Task.yield() }
    #endif
    await held.server.stop()
  }

  @Test(
    "the order of a flow, when the person goes back, and when the whole app is let go of", arguments: [true, false])
  func flow(goesBack: Bool) async throws {
    let (held, clock) = (try await HoldingServer.start(), ManualClock())
    let taker = taker(at: held.url, on: clock)
    var driver: (app: TerminalApp<DriverScreen>, work: PendingWork)? = TerminalApp.driver(offers: ["7"], taker: taker)
    _ = await driver?.app.run(try TerminalScript("enter"))
    driver?.app.receive(.key(.enter))
    await held.holds(1)
    if goesBack {
      driver?.app.receive(.key(.escape))
      await driver?.work.settled()
      #expect(driver?.app.navigator.coordinators == [CoordinatorID("offers")])
      #expect(driver?.app.navigator.navigation?.front.screen == .offer("7"))
    } else {
      driver = nil
    }
    await held.holds(0)
    await taker.end(of: "7")
    try await clock.idle()
    #expect(taker.ordersUnderWay.isEmpty)
    await held.server.stop()
  }

  @Test("the push channel with its heartbeats, when the order taker is let go of; it does not come back")
  func pushChannel() async throws {
    let (dispatch, clock) = (try await DispatchServer(), ManualClock())
    var taker: OrderTaker? = await dispatch.driver(timers: clock.timers)
    #expect(taker?.ordersUnderWay.isEmpty == true && clock.armedCount > 0)
    taker = nil
    await dispatch.hears("push closed")
    try await clock.idle()
    clock.advance(by: .seconds(60))
    #expect(clock.armedCount == 0)
    await dispatch.server.stop()
  }

  @Test("the fetch of a story, when its client closes; who waits for the page gets one that says so")
  func story() async throws {
    let (held, closing) = (try await HoldingServer.start(), Promise<Void, Never>())
    let app = WebApp.stories(at: held.url, until: closing.future)
    try app.open("umbrella://stories/2")
    let web = try await HTTPServer.start(app.router)
    let page = session.dataFuture(with: web.url)
    await held.holds(1)
    closing.success(())
    await held.holds(0)
    let (body, _) = try await page.get()
    #expect(String(decoding: body, as: UTF8.self).contains("Cancelled."))
    await web.stop()
    await held.server.stop()
  }

  @Test("a task with all of these in it, and a browser of its own that captures a page")
  func everything() async throws {
    let (folder, clock) = (try TemporaryFolder(), ManualClock())
    let browser = try await Browser.marked(by: folder)
    try await browser.start()
    let processes = RunningProcess.all(marked: folder)
    #if os(Linux)
      #expect(processes.count > 2)
    #endif
    let held = try await HoldingServer.start()
    let taker = taker(at: held.url, on: clock)
    var patient = WebPage(url: held.url.appending(path: "page"))
    patient.timeout = .seconds(3_600)
    let outermost = Task { [page = patient] in
      async let order = taker.acceptance(of: "7")
      async let pictures = pictures(3, at: held.url, within: .seconds(5), on: clock).get()
      async let text = browser.text(of: page)
      return (try await text, try await pictures, try await order)
    }
    await held.holds(5)
    outermost.cancel()
    let error = await #expect(throws: WebError.self) { try await outermost.value }
    #expect(error?.kind == .cancelled)
    // The page's request as well, while the browser goes on: it is closed by whoever has started it.
    await held.holds(0)
    await taker.end(of: "7")
    try await clock.idle()
    #expect(taker.ordersUnderWay.isEmpty)
    #if os(Linux)
      #expect(!Set(processes).isDisjoint(with: RunningProcess.all))
    #endif
    await browser.close()
    #expect(Set(processes).isDisjoint(with: RunningProcess.all))
    #expect(RunningProcess.all(marked: folder).isEmpty)
    await held.server.stop()
  }
}
