import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Claims of outcomes", .timeLimit(.minutes(5))) struct ClaimResultTests {
  /// A consumer with its own connection, which claims and stores an outcome in one transaction.
  private struct Consumer {
    let session: Session
    let driver: DriverID

    init(_ scene: Scene) { (session, driver) = (Session(scene.configuration), scene.driver) }

    func claim() async throws -> TakingOutcome? {
      try await PostgresJournal.claimResult(of: "1", driver: driver) { sql, parameters in
        try await session.run(sql, parameters).map { row in row.map { $0 ?? "" } }
      }
    }
  }

  private func endedOrder(_ scene: Scene, _ outcome: TakingOutcome) async throws -> PostgresJournal {
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await journal.write(record("1")).get()
    #expect(try await Consumer(scene).claim() == nil, "it has not ended")
    try await journal.write(record("1", .ended(outcome))).get()
    return worker
  }

  @Test("an outcome is delivered to the first transaction that commits, and again after a rollback")
  func once() async throws {
    let scene = try await Scene()
    let worker = try await endedOrder(scene, .declined(reason: "late"))
    let (first, second) = (Consumer(scene), Consumer(scene))
    try await first.session.run("BEGIN")
    #expect(try await first.claim() == .declined(reason: "late"))
    try await first.session.run("ROLLBACK")
    try await second.session.run("BEGIN")
    #expect(try await second.claim() == .declined(reason: "late"))
    try await second.session.run("COMMIT")
    #expect(try await first.claim() == nil)
    #expect(try await worker.journal(of: scene.driver).record("1").get()?.isDelivered == true)
    worker.close()
  }

  @Test("of two concurrent transactions, the second waits for the first, and gets no outcome after its commit")
  func concurrent() async throws {
    let scene = try await Scene()
    let worker = try await endedOrder(scene, .accepted(hasDetails: true))
    let (first, second) = (Consumer(scene), Consumer(scene))
    let process = try await second.session.process()
    try await first.session.run("BEGIN")
    #expect(try await first.claim() == .accepted(hasDetails: true))
    async let late = second.claim()
    while try await scene.session.run(
      "SELECT FROM pg_stat_activity WHERE pid = $1::integer AND cardinality(pg_blocking_pids(pid)) > 0", [process]
    ).isEmpty {}
    try await first.session.run("COMMIT")
    #expect(try await late == nil)
    worker.close()
  }

  @Test("a claimed unknown outcome is reconciled after a minute") func unknown() async throws {
    let scene = try await Scene()
    let worker = try await endedOrder(scene, .unknown(.expired))
    #expect(try await Consumer(scene).claim() == .unknown(.expired))
    #expect(
      try await scene.value("due_at BETWEEN now() + interval '50 seconds' AND now() + interval '60 seconds'") == "t")
    worker.close()
  }

  @Test("an outcome that cannot be decoded is an error, so that the caller rolls the transaction back")
  func damaged() async throws {
    let scene = try await Scene()
    let worker = try await endedOrder(scene, .cancelled)
    try await scene.change("record = '{}'")
    await #expect { try await Consumer(scene).claim() } throws: { ($0 as? JournalError)?.kind == .damaged }
    worker.close()
  }
}
