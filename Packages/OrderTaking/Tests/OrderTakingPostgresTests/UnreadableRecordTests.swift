import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Unreadable records", .timeLimit(.minutes(1))) struct UnreadableRecordTests {
  @Test("an unreadable record does not delay other records, and is reported after them") func others() async throws {
    let scene = try await scene(orders: ["1", "2"])
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    #expect(try await journal.openRecords().get().map(\.intent.order) == ["2"])
    #expect(await error(of: journal.openRecords())?.kind == .damaged)
    #expect(try await journal.openRecords().get().isEmpty, "it is reported once")
    worker.close()
  }

  @Test("an unreadable record is claimed once per lease, also by other workers") func oncePerLease() async throws {
    let scene = try await scene(orders: ["1"])
    let (first, second) = (try await scene.worker(), try await scene.worker())
    #expect(await error(of: first.journal(of: scene.driver).openRecords())?.kind == .damaged)
    let fence = try await scene.value("fence", of: "1")?.integer(0)
    // It performs all statements of the worker.
    try await first.close().get()
    #expect(try await second.driversToResume().get().contains(scene.driver) == false)
    #expect(try await second.journal(of: scene.driver).openRecords().get().isEmpty)
    #expect(try await scene.value("fence", of: "1")?.integer(0) == fence)
    try await scene.endLeases()
    #expect(await error(of: second.journal(of: scene.driver).openRecords())?.kind == .damaged)
    second.close()
  }

  private func scene(orders: [String]) async throws -> Scene {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    for order in orders {
      _ = try await journal.record(order).get()
      try await journal.write(record(order)).get()
    }
    try await worker.close().get()
    try await scene.session.run(
      "UPDATE takings SET change = 'other' WHERE driver = $1 AND order_id = $2",
      [.text(scene.driver), .text(orders[0])])
    return scene
  }
}
