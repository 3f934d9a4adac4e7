import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Exclusion of workers") struct ExclusionTests {
  private enum Step: Hashable, Sendable {
    case claim(worker: Int)
    case release(worker: Int)
    case endLease
    case writeFromBoth
  }

  private static let step = Generator<Step>.oneOf([
    Generator<Int>.int(in: 0...1).map { .claim(worker: $0) },
    Generator<Int>.int(in: 0...1).map { .release(worker: $0) },
    .always(.endLease),
    .always(.writeFromBoth),
  ])

  /// In the model, a claim succeeds if the other worker's lease has ended.
  ///
  /// Only the last worker that claimed the order may write.
  @Test("two workers never own one order at the same time") func exclusive() async throws {
    let scene = try await Scene()
    let workers = [try await scene.worker(), try await scene.worker()]
    let journals = workers.map { $0.journal(of: scene.driver) }
    let orders = Log<Void>()
    try await checkProperty("at most one of two concurrent writes succeeds", count: 25, Self.step.array(count: 1...25))
    {
      steps in
      orders.append(())
      let order = "\(orders.count)"
      var owner: Int?
      var isLeaseOver = true
      for step in steps {
        switch step {
        case .claim(let worker):
          guard owner == nil || owner == worker || isLeaseOver else { continue }
          _ = try await journals[worker].record(order).get()
          (owner, isLeaseOver) = (worker, false)
        case .release(let worker):
          journals[worker].release(order)
          // The next call of the order comes after the release.
          _ = await error(of: journals[worker].acknowledge(record(order)))
          if owner == worker { owner = nil }
        case .endLease:
          try await scene.endLeases(of: order)
          isLeaseOver = true
        case .writeFromBoth:
          let writes = journals.map { $0.write(record(order)) }
          let outcomes = [await error(of: writes[0]), await error(of: writes[1])]
          for (worker, outcome) in outcomes.enumerated() {
            guard outcome == nil || outcome?.kind == .fenced else { throw outcome.map { $0 as any Error } ?? Wrong() }
            // A worker that lost the order and claimed it again can be refused once. A refusal is always safe.
            if outcome == nil, owner != worker { return false }
          }
          if outcomes.contains(nil) { isLeaseOver = false }
        }
      }
      return true
    }
    for worker in workers { worker.close() }
  }

  @Test("a late statement with an old fence changes nothing") func lateWrite() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    let fence = try await scene.value("fence", of: "1")?.integer(0) ?? 0
    // Another claim of the same worker raises the fence.
    _ = try await journal.record("1").get()
    let late = try await scene.session.run(
      "UPDATE takings SET change = 'accepted' WHERE driver = $1 AND order_id = '1' AND fence = $2 RETURNING 1",
      [.text(scene.driver), .integer(fence)])
    #expect(late.isEmpty)
    #expect(try await journal.record("1").get() == record("1"))
    worker.close()
  }
}

private struct Wrong: Error {}
