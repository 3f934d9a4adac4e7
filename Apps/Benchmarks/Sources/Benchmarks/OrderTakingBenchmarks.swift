import BenchmarkHarness
import Foundation
import Futures
import OrderTaking
import OrderTakingSimulation
import Synchronization

/// The benchmarks of order taking with a server and a journal in memory.
let orders: [Benchmark] = [
  .allocations("order: each accepted by PUT", atMost: 46, of: takeOneByOne),
  .bytes("order: each of 100,000 waiting", atMost: 1_664, count: 100_000) { count in
    let hour = TakingPolicy.deck(
      intervalBetweenRetries: .seconds(3_600), delayBeforeFirstGetRequest: .seconds(3_600))
    let taker = OrderTaker<OrderID>(
      httpClient: Server(orders: count).client, journal: .inMemory(), policy: hour,
      deliveringOn: immediateExecutionContext)
    let futures = (0..<count).map { taker.take(OrderID($0)) }
    return (taker, futures)
  },
  .ratio("order: 100,000 at the same time", atMost: 1, to: "task groups") {
    await takeWithTaker(100_000)
  } baseline: {
    await takeInTaskGroups(100_000)
  },
  .ratio("order: simulated, with network faults", atMost: 8, to: "taken in memory") {
    let report = Simulation.run(seeds: 0..<20, faults: .network)
    if !report.violations.isEmpty { throw Failure(description: "\(report)") }
    return report.operations
  } baseline: {
    takeOneByOne()
  },
]

@Sendable
private func takeOneByOne() -> Int {
  let taker = OrderTaker<OrderID>(
    httpClient: Server(orders: 1_000, acceptsAtOnce: true).client, journal: .inMemory(), policy: .deck,
    deliveringOn: immediateExecutionContext)
  for order in 0..<1_000 { blackHole(taker.take(OrderID(order)).value) }
  return 1_000
}

private func takeWithTaker(_ count: Int) async -> Int {
  let taker = OrderTaker<OrderID>(
    httpClient: Server(orders: count).client, journal: .inMemory(), policy: .deck,
    deliveringOn: immediateExecutionContext)
  await withCheckedContinuation { continuation in
    let rest = Atomic(count)
    for order in 0..<count {
      taker.take(OrderID(order)).onComplete(immediateExecutionContext) { result in
        precondition((try? result.get().details) == OrderID(order))
        if rest.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { continuation.resume() }
      }
    }
  }
  return count
}

/// Takes orders in plain Swift concurrency: each order races its requests with a push that does not arrive.
///
/// It lacks a journal, a log, an observer and cancellation.
private func takeInTaskGroups(_ count: Int) async -> Int {
  let server = Server(orders: count)
  await withTaskGroup(of: OrderID?.self) { group in
    for order in 0..<count {
      group.addTask {
        await withTaskGroup(of: Void.self) { race in
          race.addTask { await poll(server.put(order)) { server.get(order) } }
          race.addTask { try? await Task.sleep(for: .seconds(3_600)) }
          await race.next()
          race.cancelAll()
        }
        while true {
          if case .success(let details) = server.details(order) { return details }
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
    }
    for await details in group { precondition(details != nil) }
  }
  return count
}

private func poll(_ first: Result<TakingAnswer, HTTPError>, _ next: () -> Result<TakingAnswer, HTTPError>) async {
  var answer = first
  while true {
    if case .success(.accepted) = answer { return }
    try? await Task.sleep(for: .milliseconds(1))
    answer = next()
  }
}

/// A server in memory that responds synchronously.
///
/// It responds with *processing* to the PUT and two GETs, then with *accepted*. The first request for details fails.
///
/// `@unchecked Sendable`: each order has its own byte, and its requests come one after the other.
private final class Server: @unchecked Sendable {
  private let asked: UnsafeMutableBufferPointer<UInt8>
  private let acceptsAtOnce: Bool

  init(orders count: Int, acceptsAtOnce: Bool = false) {
    asked = .allocate(capacity: count)
    asked.initialize(repeating: 0)
    self.acceptsAtOnce = acceptsAtOnce
  }

  deinit { asked.deallocate() }

  var client: OrderHTTPClient<OrderID> {
    OrderHTTPClient(
      take: { Future(result: self.put(Self.number(of: $0.order))) },
      takingOperationStatus: { Future(result: self.get(Self.number(of: $0.order))) },
      acceptedOrderDetails: { Future(result: self.details(Self.number(of: $0))) })
  }

  private static func number(of order: OrderID) -> Int { order.text.utf8.reduce(0) { 10 * $0 + Int($1 & 15) } }

  func put(_ order: Int) -> Result<TakingAnswer, HTTPError> { .success(acceptsAtOnce ? .accepted : .processing) }

  func get(_ order: Int) -> Result<TakingAnswer, HTTPError> {
    asked[order] += 1
    return .success(asked[order] < 3 ? .processing : .accepted)
  }

  func details(_ order: Int) -> Result<OrderID, HTTPError> {
    guard !acceptsAtOnce, asked[order] < 4 else { return .success(OrderID(order)) }
    asked[order] = 4
    return .failure(.status(500))
  }
}
