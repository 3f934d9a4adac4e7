import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("The end of a worker", .timeLimit(.minutes(1))) struct CloseTests {
  @Test("a worker that is closed while it claims releases the orders that it gets", arguments: [true, false])
  func lateClaim(claimsDue: Bool) async throws {
    // In a separate database, because the test locks a table.
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    let (first, second) = (try await scene.worker(), try await scene.worker())
    _ = try await first.journal(of: scene.driver).record("1").get()
    try await first.journal(of: scene.driver).write(record("1")).get()
    try await first.close().get()
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("LOCK TABLE takings")
    let journal = second.journal(of: scene.driver)
    let claim = claimsDue ? journal.openRecords().map { _ in } : journal.record("1").map { _ in }
    let closed = second.close()
    #expect(!closed.isCompleted)
    try await blocker.run("COMMIT")
    #expect(await error(of: claim)?.kind == .unknownOutcome)
    try await closed.get()
    let row = try await scene.value("owner, lease_until <= now(), fence > 1", of: "1")
    #expect(row?.text(0) == nil)
    #expect(row?.flag(1) == true)
    #expect(row?.flag(2) == true, "it was claimed")
    #expect(await error(of: journal.openRecords())?.kind == .storage)
    try await second.close().get()
  }
}
