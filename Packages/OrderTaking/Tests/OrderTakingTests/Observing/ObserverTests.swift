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
  ) -> OrderTaker<Int, String> {
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
        #"request side=client route="PUT /orders/:id/taking" order=7 status=503 seconds=0"#,
        #"request side=client route="PUT /orders/:id/taking" order=7 status=connection_lost seconds=0"#,
        #"request side=client route="PUT /orders/:id/taking" order=7 status=200 seconds=0"#,
        #"request side=client route="GET /orders/:id" order=7 status=200 seconds=0"#,
      ])
    #expect(lines.all.filter { $0.hasPrefix("retry order=7 pause=") }.count == 2)
  }

  @Test("an observer receives a cancelled request with its duration") func cancelled() {
    let (clock, lines) = (ManualClock(), Lines())
    let future = taker([], clock, lines.observer).take(7)
    clock.advance(by: .milliseconds(1_250))
    future.cancel()
    #expect(
      lines.all.first == #"request side=client route="PUT /orders/:id/taking" order=7 status=cancelled seconds=1.25"#)
  }

  @Test("an observer receives a request that exceeds its timeout as timed out") func timedOut() {
    let (clock, lines) = (ManualClock(), Lines())
    let future = taker([], clock, lines.observer).take(7)
    clock.advance(by: .seconds(10))
    #expect(
      lines.all.first == #"request side=client route="PUT /orders/:id/taking" order=7 status=timed_out seconds=10"#)
    future.cancel()
  }

  @Test("several observers can be combined into one") func several() {
    let (first, second) = (Lines(), Lines())
    let both = Observer.all(first.observer, second.observer)
    both.connectionChanged(ObservedConnection(side: .client, .opened))
    both.retryScheduled(ObservedRetry(order: "7", pause: .seconds(2)))
    both.leasesChanged(ObservedLeases(.claimed, count: 12))
    #expect(
      first.all == [
        "connection side=client change=opened", "retry order=7 pause=2", "leases change=claimed count=12",
      ])
    #expect(first.all == second.all)
  }

  @Test("no value adds a line or a pair to the lines of an observer") func escapes() {
    let lines = Lines()
    for order in ["7 status=200", "7\nretry order=8", "\u{1B}[2J", "\u{202E}a", "a\"b\\", ""] {
      lines.observer.retryScheduled(ObservedRetry(order: order, pause: .zero))
    }
    #expect(
      lines.all.map { $0.dropFirst("retry order=".count).dropLast(" pause=0".count) } == [
        #""7 status=200""#, #""7\u{a}retry order=8""#, #""\u{1b}[2J""#, #""\u{202e}a""#, #""a\"b\\""#, #""""#,
      ])
  }

  @Test(
    "the lines of an observer have durations in seconds",
    arguments: [
      (Duration.zero, "0"), (.microseconds(1), "0.000001"), (.milliseconds(1_500), "1.5"), (.seconds(-1.25), "-1.25"),
      (.nanoseconds(999), "0"), (.seconds(100_000), "100000"), (.seconds(Int64.min), "-9223372036854775808"),
    ])
  func durations(duration: Duration, text: String) {
    let lines = Lines()
    lines.observer.retryScheduled(ObservedRetry(order: "7", pause: duration))
    #expect(lines.all == ["retry order=7 pause=\(text)"])
  }
}

@Suite("Metrics") struct MetricsTests {
  @Test("metrics count requests by route and status, and durations by route") func requests() {
    let metrics = Metrics()
    let observer = Observer.counting(in: metrics)
    for (status, milliseconds) in [(200, 1), (200, 40), (503, 60_000)] {
      observer.requestEnded(
        ObservedRequest(
          side: .client, route: "GET /a", order: "\(status)", result: .status(status),
          duration: .milliseconds(milliseconds)))
    }
    observer.requestEnded(ObservedRequest(side: .server, route: "b\"\\\n", result: .failed(.timedOut), duration: .zero))
    observer.connectionChanged(ObservedConnection(side: .client, .lost(reason: "any")))
    for count in [2, 3] { observer.leasesChanged(ObservedLeases(.lost, count: count)) }
    let lines = metrics.text.split(separator: "\n")
    for line in [
      #"order_taking_requests_total{side="client",route="GET /a",status="200"} 2"#,
      #"order_taking_requests_total{side="client",route="GET /a",status="503"} 1"#,
      #"order_taking_requests_total{side="server",route="b\"\\\n",status="timed_out"} 1"#,
      #"order_taking_request_seconds_bucket{side="client",route="GET /a",le="0.001"} 1"#,
      #"order_taking_request_seconds_bucket{side="client",route="GET /a",le="0.05"} 2"#,
      #"order_taking_request_seconds_bucket{side="client",route="GET /a",le="30.0"} 2"#,
      #"order_taking_request_seconds_bucket{side="client",route="GET /a",le="+Inf"} 3"#,
      #"order_taking_request_seconds_sum{side="client",route="GET /a"} 60.041"#,
      #"order_taking_request_seconds_count{side="client",route="GET /a"} 3"#,
      "order_taking_retries_total 0", #"order_taking_push_connections_lost_total{side="client"} 1"#,
      #"order_taking_leases_total{change="lost"} 5"#,
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
    #expect(lines.filter { $0.hasPrefix("# TYPE") }.count == 5)
  }

  @Test("metrics have one sample per line, always in the same order") func format() {
    let metrics = Metrics()
    for route in ["c", "a", "b"] {
      Observer.counting(in: metrics).requestEnded(
        ObservedRequest(side: .client, route: route, result: .unanswered, duration: .zero))
    }
    #expect(metrics.text == metrics.text && metrics.text.hasSuffix("\n") && !metrics.text.contains("\n\n"))
    let routes = metrics.text.split(separator: "\n").filter { $0.contains("requests_total{") }
    #expect(routes == routes.sorted() && routes.count == 3)
  }
}
