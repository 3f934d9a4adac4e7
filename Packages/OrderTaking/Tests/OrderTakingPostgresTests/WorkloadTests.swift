import Futures
import OrderTaking
import Testing

@testable import OrderTakingPostgres

@Suite("The workload of a database") struct WorkloadTests {
  @Test("infinite ends of leases are read as distant times") func infinite() async throws {
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    try await scene.session.run(
      """
      INSERT INTO takings (driver, order_id, key, change, owner, fence, lease_until, due_at) VALUES
        ('ann', '1', '1', 'begun', 'worker', 0, 'infinity', 'infinity'),
        ('ann', '2', '2', 'begun', NULL, 0, '-infinity', '-infinity')
      """)
    let workload = try await PostgresJournal.workload(scene.configuration).get()
    #expect(workload.shares.map(\.worker) == ["worker"])
    #expect(workload.shares.map(\.orderCount) == [1])
    #expect(workload.shares[0].lease > .seconds(30_000_000_000 as Int64))
    #expect(workload.dueCount == 1)
    #expect(workload.lag ?? .zero > .seconds(30_000_000_000 as Int64))
  }
}
