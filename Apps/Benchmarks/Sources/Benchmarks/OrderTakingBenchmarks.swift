import BenchmarkHarness
import Dispatch
import Foundation
import Futures
import OrderTaking
import OrderTakingSimulation
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Synchronization

/// The benchmarks of order taking.
///
/// The baseline is the same algorithm in plain `async` functions.
let orderTaking: [Benchmark] =
  [
    Benchmark(
      name: "order: 100,000 concurrent, task groups", subject: .duration { await takePlainly($0, .milliseconds(1)) }),
    Benchmark(
      name: "order: 100,000 concurrent, OrderTaker", baseline: "order: 100,000 concurrent, task groups",
      budget: .ratio(atMost: 1), subject: .duration { await takeWithTaker($0, .deck, .dispatch()) }),
    Benchmark(
      name: "order: 100,000 accepted by PUT, task groups",
      subject: .duration { await takePlainly($0, .milliseconds(1), acceptsAtOnce: true) }),
    Benchmark(
      name: "order: 100,000 accepted by PUT, OrderTaker", baseline: "order: 100,000 accepted by PUT, task groups",
      budget: .ratio(atMost: 1), subject: .duration { await takeWithTaker($0, .deck, .dispatch(), acceptsAtOnce: true) }
    ),
    Benchmark(
      name: "order: memory of each of 100,000 waiting, task groups",
      subject: .number(unit: "bytes") { await plainBytes() }),
    Benchmark(
      name: "order: memory of each of 100,000 waiting, OrderTaker", budget: .amount(atMost: 1_024),
      subject: .number(unit: "bytes") { await takerBytes() }),
    Benchmark("order: each accepted by PUT", budget: .allocations(atMost: 25), body: takeOneByOne),
    Benchmark(
      "order: simulated operation, network faults", baseline: "order: machine, five requests",
      budget: .ratio(atMost: 8),
      body: simulate),
    Benchmark("order: machine, five requests", budget: .allocations(atMost: 1)) { iterations in
      let key = IdempotencyKey(high: 1, low: 2)
      for _ in 0..<iterations { blackHole(runMachine(key)) }
    },
  ]
  + LongPoll.End.allCases.flatMap { end in
    [
      Benchmark(
        name: "order: stack of 1,000,000 polls, then \(end.rawValue)", budget: .amount(atMost: 64 * 1024),
        subject: .number(unit: "bytes of stack") { LongPoll(polls: 1_000_000).stack(until: end) }),
      Benchmark(
        name: "order: memory kept by 1,000,000 polls, then \(end.rawValue)", budget: .amount(atMost: 1_024),
        subject: .number(unit: "bytes") { await LongPoll.kept(polls: 1_000_000, until: end) }),
    ]
  }

private let many = 100_000

@Sendable
private func takePlainly(_ iterations: Int, _ interval: Duration, acceptsAtOnce: Bool = false) async {
  for _ in 0..<iterations {
    let taking = PlainTaking(
      server: ServerInMemory(orders: many, acceptsAtOnce: acceptsAtOnce), interval: interval)
    await withTaskGroup(of: Int?.self) { group in
      for order in 0..<many { group.addTask { await taking.take(order) } }
      for await details in group { precondition(details != nil) }
    }
  }
}

@Sendable
private func takeWithTaker(
  _ iterations: Int, _ policy: TakingPolicy, _ timers: Timers, acceptsAtOnce: Bool = false
) async {
  for _ in 0..<iterations {
    let server = ServerInMemory(orders: many, acceptsAtOnce: acceptsAtOnce)
    let taker = OrderTaker<Int, Int>(
      httpClient: server.client, journal: .inMemory(), policy: policy, timers: timers,
      deliveringOn: immediateExecutionContext)
    await withCheckedContinuation { continuation in
      let rest = Rest(many)
      for order in 0..<many {
        taker.take(order).onComplete(immediateExecutionContext) { result in
          precondition((try? result.get().details) == order)
          if rest.isLast() { continuation.resume() }
        }
      }
    }
  }
}

extension ServerInMemory {
  var client: OrderHTTPClient<Int, Int> {
    OrderHTTPClient(
      take: { intent in Future(result: self.put(intent.order)) },
      takingOperationStatus: { intent in Future(result: self.get(intent.order)) },
      acceptedOrderDetails: { order in Future(result: self.details(order)) })
  }
}

private final class Rest: Sendable {
  private let count: Atomic<Int>

  init(_ count: Int) { self.count = Atomic(count) }

  func isLast() -> Bool { count.wrappingSubtract(1, ordering: .relaxed).newValue == 0 }
}

/// Returns the bytes for each of 100,000 plain functions that wait for a push or an hour.
private func plainBytes() async -> Int {
  let taking = PlainTaking(server: ServerInMemory(orders: many), interval: .seconds(3_600))
  var task: Task<Void, Never>?
  let counted = await AllocationMeter.count {
    task = Task {
      await withTaskGroup(of: Int?.self) { group in
        for order in 0..<many { group.addTask { await taking.take(order) } }
      }
    }
    while taking.pushes.count < many { await Task.yield() }
    // Their requests may take a little longer.
    try? await Task.sleep(for: .seconds(1))
  }
  task?.cancel()
  await task?.value
  return roundedUp(Int(counted.liveBytes), dividedBy: many)
}

/// Returns the bytes for each of 100,000 operations that wait for a push or an hour, including journal and futures.
private func takerBytes() async -> Int {
  let server = ServerInMemory(orders: many)
  let pushes = PushClientMock<Int>()
  let hour = TakingPolicy.deck(intervalBetweenRetries: .seconds(3_600), delayBeforeFirstGetRequest: .seconds(3_600))
  var taker: OrderTaker<Int, Int>?
  let counted = await AllocationMeter.count {
    let new = OrderTaker<Int, Int>(
      httpClient: server.client, pushClient: pushes.client, journal: .inMemory(), policy: hour,
      deliveringOn: immediateExecutionContext)
    taker = new
    return (0..<many).map { new.take($0) }
  }
  for order in 0..<many { taker?.cancel(order) }
  return roundedUp(Int(counted.liveBytes), dividedBy: many)
}

@Sendable
private func takeOneByOne(_ iterations: Int) async {
  let taker = OrderTaker<Int, Int>(
    httpClient: ServerInMemory(orders: iterations, acceptsAtOnce: true).client, journal: .inMemory(), policy: .deck,
    deliveringOn: immediateExecutionContext)
  for order in 0..<iterations { blackHole(taker.take(order).value) }
}

/// Simulates at least `iterations` operations, 20 seeds at a time.
@Sendable
private func simulate(_ iterations: Int) async {
  var (operations, seed) = (0, UInt64(0))
  while operations < iterations {
    let summary = Simulation.run(seeds: seed..<seed + 20, faults: .network)
    precondition(summary.failure == nil)
    operations += summary.operations
    seed += 20
  }
}

private func runMachine(_ key: IdempotencyKey) -> TakingOutcome? {
  var operation = TakingOperation(key: key)
  let now = Moment(sinceEpoch: .seconds(1), sinceBoot: .seconds(1), boot: 1)
  var effects: [TakingEffect] = []
  func feed(_ event: TakingEvent) {
    effects.removeAll(keepingCapacity: true)
    operation.handle(event, at: now, under: .deck, into: &effects)
  }
  effects.reserveCapacity(16)
  feed(.begin)
  feed(.persisted(.begun))
  feed(.answered(TakingRequest(kind: .put, number: 1), .success(.processing)))
  feed(.timerFired(.pause(number: 2)))
  feed(.answered(TakingRequest(kind: .get, number: 3), .success(.processing)))
  feed(.timerFired(.pause(number: 4)))
  feed(.answered(TakingRequest(kind: .get, number: 5), .success(.accepted)))
  feed(.detailsArrived(TakingRequest(kind: .details, number: 6)))
  feed(.persisted(.ended(.accepted(hasDetails: true))))
  return operation.outcome
}
