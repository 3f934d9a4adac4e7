import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import Testing

@Suite("An observer") struct ObserverTests {
  final class Lines: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var observer: Observer { .lines { line in self.lines.withLock { $0.append(line) } } }
  }

  func taker(
    _ answers: [Result<TakingAnswer, HTTPError>], _ clock: ManualClock, _ observer: Observer
  ) -> OrderTaker<String> {
    let rest = Locked(answers)
    let unanswered = Promise<TakingAnswer, HTTPError>()
    return OrderTaker(
      httpClient: OrderHTTPClient(
        take: { _ in
          let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          return next.map { Future(result: $0) } ?? unanswered.future
        }, takingOperationStatus: { _ in Promise<TakingAnswer, HTTPError>().future },
        acceptedOrderDetails: { _ in Future(value: "details") }),
      journal: .inMemory(), timers: clock.timers, deliveringOn: immediateExecutionContext, observer: observer)
  }

  @Test("an observer receives each request of a taker, and the pause after a failure") func requests() {
    let (clock, lines) = (ManualClock(), Lines())
    let taker = taker([.failure(.status(503)), .failure(.connectionLost), .success(.accepted)], clock, lines.observer)
    let future = taker.take(7)
    while future.result == nil, clock.advanceToNextDeadline() != nil {}
    #expect(future.value?.details == "details")
    #expect(
      lines.all.filter { $0.hasPrefix("request") } == [
        #"request side=client route="PUT /orders/:id/taking" order=7 status=503 seconds=0.0"#,
        #"request side=client route="PUT /orders/:id/taking" order=7 status=connection_lost seconds=0.0"#,
        #"request side=client route="PUT /orders/:id/taking" order=7 status=200 seconds=0.0"#,
        #"request side=client route="GET /orders/:id" order=7 status=200 seconds=0.0"#,
      ])
    #expect(lines.all.filter { $0.hasPrefix("retry order=7 pause=") }.count == 2)
  }

  @Test("an observer receives a request that was cancelled or exceeds its timeout, with its duration")
  func withoutResponse() {
    let (clock, lines) = (ManualClock(), Lines())
    let futures = (0..<2).map { _ in taker([], clock, lines.observer).take(7) }
    clock.advance(by: .milliseconds(1_250))
    futures[0].cancel()
    clock.advance(by: .milliseconds(8_750))
    futures[1].cancel()
    let start = #"request side=client route="PUT /orders/:id/taking" order=7 status="#
    #expect(lines.all.first == start + "cancelled seconds=1.25")
    #expect(lines.all.contains(start + "timed_out seconds=10.0"))
  }

  @Test("a value with spaces or line breaks stays one value in one line") func escapes() {
    let lines = Lines()
    for text in ["7 status=200", "7\nretry order=8", "\u{1B}[2J", "\u{202E}a", "a\"b\\", ""] {
      lines.observer.receive(.connection(ObservedConnection(side: .client, .lost(reason: text))))
    }
    #expect(
      lines.all.map { $0.dropFirst("connection side=client change=lost reason=".count) } == [
        #""7 status=200""#, #""7\u{a}retry order=8""#, #""\u{1b}[2J""#, #""\u{202e}a""#, #""a\"b\\""#, #""""#,
      ])
  }

  @Test("metrics count what an observer receives, without a label for an order or a driver") func metrics() {
    let (clock, metrics) = (ManualClock(), Metrics())
    let observer = Observer.counting(in: metrics)
    let future = taker([.failure(.status(503)), .success(.accepted)], clock, observer).take(7)
    while future.result == nil, clock.advanceToNextDeadline() != nil {}
    observer.receive(.connection(ObservedConnection(side: .client, .lost(reason: "any"))))
    for count in [2, 3] { observer.receive(.leases(.lost, count: count)) }
    let lines = metrics.text.split(separator: "\n")
    #expect(
      lines.filter { !$0.hasPrefix("#") } == [
        #"order_taking_requests_total{status="200"} 2"#, #"order_taking_requests_total{status="503"} 1"#,
        "order_taking_retries_total 1", #"order_taking_push_connections_total{change="lost"} 1"#,
        #"order_taking_leases_total{change="lost"} 5"#, "order_taking_delivery_errors_total 0",
      ])
    #expect(lines.count { $0.hasPrefix("# TYPE") } == 5 && metrics.text.hasSuffix("\n"))
  }
}
