import Futures
import OrderTaking
import Testing

@testable import OrderTakingPostgres

/// The clock of the database is set back, or another server with a slow clock becomes the primary.
///
/// The tests write times that are further away than they can be, instead of setting the clock.
@Suite("Clocks of the database", .timeLimit(.minutes(5))) struct ClockTests {
  @Test(
    "a lease that would last for more than twice its time has ended",
    arguments: [("1 hour", true), ("90 seconds", true), ("45 seconds", false)])
  func lease(setBackBy jump: String, hasEnded: Bool) async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let (old, new) = (workers[0].journal(of: scene.driver), workers[1].journal(of: scene.driver))
    try await old.write(record("1")).get()
    let ended =
      "leased_at = now() + interval '\(jump)' - interval '30 seconds', lease_until = now() + interval '\(jump)'"
    try await scene.change(ended)
    #expect(try await workers[1].storage.dueDrivers().get().contains(scene.driver) == hasEnded)
    let listed = try await workers[1].storage.list(RecordQuery(driver: scene.driver)).get()
    #expect(listed.map(\.owner) == [hasEnded ? nil : workers[0].name])
    #expect(try await new.dueRecords(1_000, []).get().count == (hasEnded ? 1 : 0))
    if hasEnded { #expect(await error(of: old.write(record("1", .accepted)))?.kind == .fenced) }
    for worker in workers { worker.close() }
  }

  @Test("the owner of a lease that is too long by a jump renews it, so that no other worker takes the order")
  func renewedInTime() async throws {
    let scene = try await Scene()
    let workers = try await scene.workers(2)
    let journal = workers[0].journal(of: scene.driver)
    try await journal.write(record("1")).get()
    try await scene.change("leased_at = now() + interval '1 hour', lease_until = now() + interval '3630 seconds'")
    try await journal.write(record("1", .acknowledged)).get()
    #expect(try await workers[1].journal(of: scene.driver).dueRecords(1_000, []).get().isEmpty)
    for worker in workers { worker.close() }
  }

  @Test("workers with different times of a lease respect each other's leases") func differentLeases() async throws {
    var scene = try await Scene()
    scene.configuration.lease = .seconds(3_600)
    let slow = try await scene.worker()
    scene.configuration.lease = .seconds(1)
    let fast = try await scene.worker()
    try await slow.journal(of: scene.driver).write(record("1")).get()
    #expect(try await fast.journal(of: scene.driver).dueRecords(1_000, []).get().isEmpty)
    for worker in [slow, fast] { worker.close() }
  }

  @Test("an order that was released before the clock was set back is free") func released() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await journal.write(record("1")).get()
    journal.release("1")
    try await scene.wait(until: "owner IS NULL")
    try await scene.change("leased_at = now() + interval '1 hour', lease_until = now() + interval '1 hour'")
    #expect(try await journal.dueRecords(1_000, []).get().count == 1)
    worker.close()
  }

  @Test(
    "the back-off of an unknown outcome ends when the clock is set back",
    arguments: [("30 seconds", false), ("61 minutes", true)])
  func backOff(setBackBy jump: String, isDue: Bool) async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await journal.write(unknown(secondsAgo: 0)).get()
    journal.release("1")
    try await scene.wait(until: "owner IS NULL")
    try await scene.change(
      ["due_at", "leased_at", "lease_until"].map { "\($0) = \($0) + interval '\(jump)'" }.joined(separator: ", "))
    #expect(try await journal.dueRecords(1_000, []).get().count == (isDue ? 1 : 0))
    worker.close()
  }

  @Test("the back-off of an unknown outcome does not depend on the clock of the worker", arguments: [0, 30, 61])
  func workerClock(secondsAgo: Int) async throws {
    let scene = try await Scene()
    // A worker in the year 1970.
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await journal.write(unknown(secondsAgo: secondsAgo)).get()
    journal.release("1")
    try await scene.wait(until: "owner IS NULL")
    #expect(try await journal.dueRecords(1_000, []).get().count == (secondsAgo > 60 ? 1 : 0))
    worker.close()
  }

  private func unknown(secondsAgo: Int) -> TakingRecord {
    let last = Duration.seconds(1_000 - secondsAgo)
    return record(
      "1", .ended(.unknown(.expired)), isDelivered: true,
      attempts: [TakingAttempt(worker: "w", startedAt: last, lastChangeAt: last)])
  }
}
