import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Order takers of several workers") struct TakerTests {
  private typealias Taker = OrderTaker<String, String>

  /// A server that accepts the first key of each order, and records all keys.
  private final class Dispatch: Sendable {
    let puts = Log<IdempotencyKey>()
    let accepted = Log<IdempotencyKey>()
    let isSilent: Bool

    init(isSilent: Bool = false) { self.isSilent = isSilent }

    var client: OrderHTTPClient<String, String> {
      OrderHTTPClient(
        take: { intent in
          self.puts.append(intent.key)
          if self.isSilent { return Future() }
          if self.accepted.all.isEmpty { self.accepted.append(intent.key) }
          return Future(value: self.accepted.all == [intent.key] ? .accepted : .declined("taken"))
        },
        takingOperationStatus: { _ in Future(value: .accepted) },
        acceptedOrderDetails: { order in Future(value: "details of \(order)") })
    }
  }

  private func taker(_ worker: PostgresJournal, _ scene: Scene, _ dispatch: Dispatch) -> Taker {
    Taker(
      httpClient: dispatch.client, journal: worker.journal(of: scene.driver), timers: ManualClock().timers,
      deliveringOn: immediateExecutionContext)
  }

  @Test("two workers that take one order at the same time send one key, and both get the acceptance") func oneKey()
    async throws
  {
    let scene = try await Scene()
    let dispatch = Dispatch()
    let workers = [try await scene.worker(timers: .dispatch()), try await scene.worker(timers: .dispatch())]
    let takers = workers.map { taker($0, scene, dispatch) }
    let results = takers.map { $0.take("7") }
    for result in results { #expect(try await result.get().details == "details of 7") }
    #expect(Set(dispatch.puts.all).count == 1)
    try await scene.wait(until: "delivered_at IS NOT NULL AND owner IS NULL")
    #expect(try await scene.value("change", of: "7")?.text(0) == "ended accepted")
    for worker in workers { worker.close() }
  }

  @Test("a worker resumes the orders of a worker that crashed, with the same key") func crashed() async throws {
    let scene = try await Scene()
    let (silent, dispatch) = (Dispatch(isSilent: true), Dispatch())
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let lost = taker(first, scene, silent)
    for order in ["1", "2"] { lost.take(order) }
    let keys = await silent.puts.first(2)
    first.crash()
    #expect(try await taker(second, scene, dispatch).resume().get().isEmpty, "the leases last")
    try await scene.endLeases()
    let resumed = try await taker(second, scene, Dispatch()).resume().get()
    #expect(resumed.map(\.order).sorted() == ["1", "2"])
    try await scene.wait(until: "delivered_at IS NOT NULL AND owner IS NULL")
    try await second.close().get()
    let rows = try await scene.session.run("SELECT key FROM takings WHERE driver = $1", [.text(scene.driver)])
    #expect(Set(rows.compactMap { $0.text(0) }) == Set(keys.map(\.description)))
  }

  @Test("a worker keeps an order that the callback of its result takes again") func takeAgain() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let taker = taker(worker, scene, Dispatch())
    let again = taker.take("1").flatMap(immediateExecutionContext) { _ in taker.take("1") }
    #expect(try await again.get().details == "details of 1")
    try await scene.wait(until: "delivered_at IS NOT NULL AND owner IS NULL")
    worker.close()
  }

  @Test("an operation of a worker that was taken over ends as unknown and sends nothing more") func fenced()
    async throws
  {
    let scene = try await Scene()
    let dispatch = Dispatch()
    let answer = Promise<TakingAnswer, HTTPError>()
    let put = Log<IdempotencyKey>()
    var client = dispatch.client
    client.take = { intent in
      put.append(intent.key)
      return answer.future
    }
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let paused = Taker(
      httpClient: client, journal: first.journal(of: scene.driver), timers: ManualClock().timers,
      deliveringOn: immediateExecutionContext)
    let old = paused.take("1")
    let keys = await put.first(1)
    try await scene.endLeases()
    #expect(try await taker(second, scene, dispatch).take("1").get().details == "details of 1")
    answer.success(.accepted)
    #expect(await error(of: old)?.kind == .unknown)
    #expect(dispatch.puts.all == keys)
    for worker in [first, second] { worker.close() }
  }

  @Test(
    "an operation whose lease ended before its first write starts if no worker has recorded the order",
    arguments: [
      // The placeholder was removed, or another worker has claimed it and ended.
      "DELETE FROM takings WHERE driver = $1",
      "UPDATE takings SET owner = 'other', fence = nextval('takings_fence'), lease_until = due_at - interval '1 hour', due_at = due_at - interval '1 hour' WHERE driver = $1",
    ]) func lateFirstWrite(change: String) async throws
  {
    let (scene, dispatch) = (try await Scene(), Dispatch())
    let worker = try await scene.worker()
    let taker = taker(worker, scene, dispatch, beforeFirstWrite: change)
    #expect(try await taker.take("1").get().details == "details of 1")
    #expect(dispatch.puts.count == 1)
    try await worker.close().get()
  }

  @Test(
    "an operation whose lease ended before its first write sends nothing if another worker has recorded the order",
    arguments: [
      "owner = NULL, lease_until = now(), due_at = now()", "owner = 'other', lease_until = now() + interval '1 hour'",
    ])
  func recordedByAnother(change: String) async throws {
    let (scene, dispatch) = (try await Scene(), Dispatch())
    let worker = try await scene.worker()
    let taker = taker(
      worker, scene, dispatch,
      beforeFirstWrite: """
        UPDATE takings SET key = repeat('1', 32), change = 'begun', fence = nextval('takings_fence'), \(change)
        WHERE driver = $1
        """)
    #expect(await error(of: taker.take("1"))?.kind == .unknown)
    #expect(dispatch.puts.all.isEmpty)
    try await worker.close().get()
    #expect(try await scene.value("key", of: "1")?.text(0) == String(repeating: "1", count: 32))
    if change.contains("NULL") { #expect(try await scene.value("owner", of: "1")?.text(0) == nil) }
  }

  /// Returns a taker that runs a statement on the table between its first claim and its first write.
  private func taker(_ worker: PostgresJournal, _ scene: Scene, _ dispatch: Dispatch, beforeFirstWrite sql: String)
    -> Taker
  {
    var journal = worker.journal(of: scene.driver)
    let (write, isFirst) = (journal.write, Locked(true))
    journal.write = { record in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }; return isFirst
        })
      else { return write(record) }
      let promise = Promise<Void, JournalError>()
      Task {
        try await scene.session.run(sql, [.text(scene.driver)])
        write(record).onComplete(immediateExecutionContext) { promise.complete($0) }
      }
      return promise.future
    }
    return Taker(
      httpClient: dispatch.client, journal: journal, timers: ManualClock().timers,
      deliveringOn: immediateExecutionContext)
  }
}
