import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Claims and fences", .timeLimit(.minutes(5))) struct ClaimTests {
  @Test("a worker takes an order over when its lease has ended, and the earlier owner's write changes nothing")
  func takeOver() async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let (old, new) = (workers[0].journal(of: scene.driver), workers[1].journal(of: scene.driver))
    #expect(try await old.record("1").get() == nil)
    try await old.write(record("1")).get()
    try await scene.endLeases()
    #expect(try await new.record("1").get() == record("1"))
    let written = record("1", .acknowledged)
    try await new.write(written).get()
    #expect(await error(of: old.write(record("1", .accepted)))?.kind == .fenced)
    #expect(try await new.record("1").get() == written)
    for worker in workers { worker.close() }
  }

  @Test("an operation that was taken over stays fenced after its worker claims the order again")
  func regained() async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let (old, new) = (workers[0].journal(of: scene.driver), workers[1].journal(of: scene.driver))
    try await old.write(record("1")).get()
    try await scene.endLeases()
    _ = try await new.record("1").get()
    try await new.write(record("1", key: 2)).get()
    try await scene.endLeases()
    #expect(try await old.record("1").get() == record("1", key: 2))
    #expect(await error(of: old.write(record("1", .accepted)))?.kind == .fenced)
    for worker in workers { worker.close() }
  }

  // MARK: Waiting for another owner

  /// A worker that owns an accepted order, and a worker that waits for the order.
  private struct Wait {
    let scene: Scene
    let clock = ManualClock()
    let workers: [PostgresJournal]
    let owner: Journal
    let waiting: Future<TakingRecord?, JournalError>

    init() async throws {
      scene = try await Scene()
      workers = [try await scene.worker(), try await scene.worker(timers: clock.timers)]
      owner = workers[0].journal(of: scene.driver)
      try await owner.write(record("1", .accepted)).get()
      waiting = workers[1].journal(of: scene.driver).record("1")
      // The timers of the lease and of the wait.
      _ = try await clock.sleeps(count: 2)
    }

    /// Advances the clock until the wait ends.
    func advance(by step: Duration) async throws {
      while !waiting.isCompleted {
        clock.advance(by: step)
        // Lets the worker's statements run.
        try await scene.session.run("SELECT")
      }
    }
  }

  @Test("a waiting call gets the record when the owner releases the order") func notified() async throws {
    let wait = try await Wait()
    #expect(!wait.waiting.isCompleted)
    wait.owner.release("1")
    #expect(try await wait.waiting.get() == record("1", .accepted))
    for worker in wait.workers { worker.close() }
  }

  @Test("a waiting call gets the record by polling when the notification is lost") func polled() async throws {
    let wait = try await Wait()
    try await wait.scene.endLeases()
    try await wait.advance(by: wait.scene.configuration.claimInterval)
    #expect(try await wait.waiting.get() == record("1", .accepted))
    for worker in wait.workers { worker.close() }
  }

  @Test("a wait for an order ends with an error at the time limit") func timeLimit() async throws {
    let wait = try await Wait()
    try await wait.advance(by: wait.scene.configuration.claimTimeLimit)
    #expect(await error(of: wait.waiting)?.kind == .inUse)
    for worker in wait.workers { worker.close() }
  }

  // MARK: Due orders

  @Test("workers that claim due orders at the same time get each order once") func sharedOut() async throws {
    var scene = try await Scene()
    scene.configuration.claimCount = 10
    let orders = (0..<200).map { Name($0) }
    let first = try await scene.worker()
    for write in orders.map({ first.journal(of: scene.driver).write(record($0)) }) { try await write.get() }
    try await first.close().get()
    let workers = try await scene.workers(4)
    let driver = scene.driver
    let claimed = try await withThrowingTaskGroup(of: [OrderID].self) { group in
      for worker in workers {
        group.addTask {
          var claimed: [OrderID] = []
          while true {
            let records = try await worker.journal(of: driver).dueRecords(1_000, []).get()
            if records.isEmpty { return claimed }
            claimed += records.map(\.intent.order)
          }
        }
      }
      return try await group.reduce(into: [OrderID]()) { $0 += $1 }
    }
    #expect(claimed.sorted() == orders.sorted())
    for worker in workers { worker.close() }
  }

  @Test("an order is due for others when its lease ends, and not for its owner") func ended() async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let journals = workers.map { $0.journal(of: scene.driver) }
    for age in 1...3 { try await journals[0].write(record(Name(age), age: age)).get() }
    #expect(try await journals[1].dueRecords(1_000, []).get().isEmpty)
    #expect(try await workers[1].storage.dueDrivers().get().contains(scene.driver) == false)
    try await scene.endLeases()
    #expect(try await workers[1].storage.dueDrivers().get().contains(scene.driver))
    #expect(try await journals[0].dueRecords(1_000, []).get().isEmpty)
    #expect(try await journals[1].dueRecords(1_000, []).get().map(\.intent.order) == ["3", "2", "1"])
    for worker in workers { worker.close() }
  }

  @Test("an unreadable record does not delay others, and is reported once for each lease") func unreadable()
    async throws
  {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    for order in ["1", "2"] as [OrderID] { try await workers[0].journal(of: scene.driver).write(record(order)).get() }
    try await workers[0].close().get()
    try await scene.change("record = '{}'", of: "1")
    let journal = workers[1].journal(of: scene.driver)
    #expect(try await journal.dueRecords(1_000, []).get().map(\.intent.order) == ["2"])
    #expect(try await journal.dueRecords(1_000, []).get().isEmpty)
    try await scene.endLeases(of: "1")
    #expect(await error(of: journal.dueRecords(1_000, []))?.kind == .damaged)
    let listing = workers[1].storage.list(RecordQuery(driver: scene.driver))
    #expect(await error(of: listing)?.description.hasSuffix("Its driver is \(scene.driver).") == true)
    workers[1].close()
  }

  // MARK: Renewal and release

  @Test("leases are renewed at a third of their time, and a worker that lost one is fenced") func renewal() async throws
  {
    let scene = try await Scene()
    let clock = ManualClock()
    let events = Log<(LeaseChange, Int)>()
    let worker = try await scene.worker(timers: clock.timers)
    let stop = worker.storage.subscribe { event in
      // A new connection for notifications also renews the leases.
      if case .leases(let change, let count) = event, change != .renewed { events.append((change, count)) }
    }
    let journal = worker.journal(of: scene.driver)
    for order in ["1", "2"] as [OrderID] { try await journal.write(record(order)).get() }
    try await scene.endLeases()
    try await scene.change("owner = 'other'", of: "2")
    clock.advance(by: scene.configuration.lease / 3)
    #expect(await events.first(3).map(\.0) == [.claimed, .claimed, .lost])
    #expect(await error(of: journal.write(record("2", .accepted)))?.kind == .fenced)
    #expect(try await scene.value("lease_until > now()", of: "1") == "t")
    #expect(try await scene.value("lease_until > now()", of: "2") == "f")
    stop()
    worker.close()
  }

  @Test("a closed worker releases its orders, also after a late answer to a claim", arguments: [true, false])
  func close(claimsDue: Bool) async throws {
    // In a separate database, because the test locks a table.
    let scene = try await Scene(newDatabaseOf: nil)
    let workers = try await scene.workers(2)
    try await workers[0].journal(of: scene.driver).write(record("1")).get()
    try await workers[0].close().get()
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("LOCK TABLE takings")
    let journal = workers[1].journal(of: scene.driver)
    let claim = claimsDue ? journal.dueRecords(1_000, []).asVoid() : journal.record("1").asVoid()
    let closed = workers[1].close()
    #expect(!closed.isCompleted)
    try await blocker.run("COMMIT")
    try await claim.get()
    try await closed.get()
    #expect(try await scene.value("owner IS NULL AND lease_until <= now() AND fence > 1") == "t")
    #expect(await error(of: journal.record("1"))?.kind == .storage)
  }

  @Test("old placeholders and delivered records are removed") func retention() async throws {
    // In a separate database, because it removes the records of all drivers.
    let scene = try await Scene(newDatabaseOf: nil)
    let first = try await scene.worker()
    let journal = first.journal(of: scene.driver)
    try await journal.write(record("1", .ended(.expired), isDelivered: true)).get()
    _ = try await journal.record("2").get()
    try await first.close().get()
    try await scene.session.run(
      """
      INSERT INTO takings (driver, order_id, owner, fence, leased_at, lease_until)
      VALUES ($1, '3', 'ended', 1, now() - interval '2 days', now() - interval '1 day')
      """, [scene.driver.text])
    let second = try await scene.worker(retention: .seconds(86_400))
    while try await !scene.session.run("SELECT FROM takings WHERE driver = $1", [scene.driver.text]).isEmpty {}
    second.close()
  }

  // MARK: Cancelling

  @Test("a request to cancel an order reaches its owner, by notification or with the next renewal") func cancel()
    async throws
  {
    let scene = try await Scene()
    let clock = ManualClock()
    let events = Log<StorageEvent>()
    let (owner, other) = (try await scene.worker(timers: clock.timers), try await scene.worker())
    let stop = owner.storage.subscribe { if case .cancel = $0 { events.append($0) } }
    try await owner.journal(of: scene.driver).write(record("1")).get()
    let cancel = StorageEvent.cancel("1", scene.driver)
    #expect(try await other.storage.requestCancel("1", scene.driver).get())
    #expect(await events.first(1) == [cancel])
    clock.advance(by: scene.configuration.lease / 3)
    #expect(await events.first(2) == [cancel, cancel])
    try await owner.journal(of: scene.driver).write(record("1", .ended(.cancelled))).get()
    #expect(try await !other.storage.requestCancel("1", scene.driver).get())
    #expect(try await !other.storage.requestCancel("2", scene.driver).get())
    stop()
    for worker in [owner, other] { worker.close() }
  }

  // MARK: The model

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

  @Test("two workers never own one order at the same time") func exclusive() async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let journals = workers.map { $0.journal(of: scene.driver) }
    let orders = Log<Void>()
    try await checkProperty("at most one of two concurrent writes succeeds", count: 25, Self.step.array(count: 1...25))
    { steps in
      orders.append(())
      let order = Name(orders.count)
      var owner: Int?
      var hasLease = false
      for step in steps {
        switch step {
        case .claim(let worker):
          guard owner == nil || owner == worker || !hasLease else { continue }
          _ = try await journals[worker].record(order).get()
          (owner, hasLease) = (worker, true)
        case .release(let worker):
          journals[worker].release(order)
          // It runs after the release.
          _ = try await workers[worker].storage.list(RecordQuery(driver: scene.driver, limit: 1)).get()
          if owner == worker { owner = nil }
        case .endLease:
          try await scene.endLeases(of: order)
          hasLease = false
        case .writeFromBoth:
          let writes = journals.map { $0.write(record(order)) }
          let results = [await error(of: writes[0]), await error(of: writes[1])]
          for case let failure? in results where failure.kind != .fenced { throw failure }
          guard let writer = results.firstIndex(of: nil) else { continue }
          // A write without a claim is a claim.
          if results.count(where: { $0 == nil }) > 1 { return false }
          if hasLease, let owner, owner != writer { return false }
          (owner, hasLease) = (writer, true)
        }
      }
      return true
    }
    for worker in workers { worker.close() }
  }
}
