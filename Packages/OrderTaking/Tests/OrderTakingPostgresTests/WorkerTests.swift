import Foundation
import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Takers and workers on a shared database", .timeLimit(.minutes(5))) struct WorkerTests {
  /// A server of orders that accepts every PUT, or answers nothing.
  private struct Dispatch: Sendable {
    let puts = Log<IdempotencyKey>()
    var isSilent = false

    var client: OrderHTTPClient<String> {
      OrderHTTPClient(
        take: { intent in
          puts.append(intent.key)
          return isSilent ? Promise<TakingAnswer, HTTPError>().future : Future(value: .accepted)
        },
        takingOperationStatus: { _ in Future(value: .accepted) },
        acceptedOrderDetails: { order in Future(value: "details of \(order)") })
    }
  }

  private func taker(_ worker: PostgresJournal, _ scene: Scene, _ dispatch: Dispatch) -> OrderTaker<String> {
    OrderTaker(
      httpClient: dispatch.client, journal: worker.journal(of: scene.driver), timers: ManualClock().timers,
      deliveringOn: immediateExecutionContext)
  }

  private let isFinished = "delivered AND owner IS NULL AND due_at IS NULL"

  @Test("two workers that take one order at the same time send one key, and both get the acceptance") func oneKey()
    async throws
  {
    let scene = try await Scene()
    let dispatch = Dispatch()
    let workers = [try await scene.worker(timers: .dispatch()), try await scene.worker(timers: .dispatch())]
    let results = workers.map { taker($0, scene, dispatch).take("7") }
    for result in results { #expect(try await result.get().details == "details of 7") }
    #expect(Set(dispatch.puts.all).count == 1)
    try await scene.wait(until: isFinished)
    for worker in workers { worker.close() }
  }

  @Test("a running worker finishes the orders of a worker that crashed, with their keys") func crashed() async throws {
    // In a separate database, because a worker finishes the orders of all drivers.
    var scene = try await Scene(newDatabaseOf: nil)
    scene.configuration.lease = .milliseconds(600)
    let (silent, dispatch) = (Dispatch(isSilent: true), Dispatch())
    let first = try await scene.worker()
    let lost = taker(first, scene, silent)
    let orders: [OrderID] = ["1", "2", "3"]
    for order in orders { lost.take(order) }
    let keys = await silent.puts.first(orders.count)
    first.leases.crash()
    let deliveries = try await deliveries(
      scene, count: orders.count, workers: 2, dispatch, pollInterval: .milliseconds(100))
    #expect(deliveries.map(\.order).sorted() == orders)
    #expect(
      deliveries.allSatisfy { $0.driver == scene.driver && (try? $0.result.get().details) == "details of \($0.order)" })
    let records = try await scene.session.run("SELECT record::json ->> 'key' FROM takings")
    #expect(Set(records.compactMap { $0[0] }) == Set(keys.map(\.description)))
    #expect(Set(dispatch.puts.all).isSubset(of: keys))
  }

  /// Runs workers until they have delivered a number of results, and waits for their end.
  private func deliveries(
    _ scene: Scene, count: Int, workers: Int, _ dispatch: Dispatch, pollInterval: Duration = .seconds(10)
  ) async throws -> [OrderWorker<String>.Delivery] {
    let deliveries = Log<OrderWorker<String>.Delivery>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask {
          let journal = try await PostgresJournal.open(scene.configuration, retention: nil).get()
          var policy = WorkerPolicy.standard
          policy.pollInterval = pollInterval
          let worker = OrderWorker<String>(storage: journal.storage, policy: policy) { _, _ in
            (dispatch.client, .none)
          } deliver: {
            deliveries.append($0)
          }
          try await worker.run()
          try await journal.close().get()
        }
      }
      _ = await deliveries.first(count)
      try await scene.wait(until: "delivered")
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(try await scene.session.run("SELECT FROM takings WHERE NOT delivered OR owner IS NOT NULL").isEmpty)
    return deliveries.all
  }
}
