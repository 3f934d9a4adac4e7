import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Observed leases", .timeLimit(.minutes(1))) struct LeaseObserverTests {
  @Test("an observer receives claimed, renewed and lost leases") func leases() async throws {
    let scene = try await Scene()
    let (clock, changes) = (ManualClock(), Log<ObservedLeases>())
    let observer = Observer(leasesChanged: { changes.append($0) })
    let worker = try await scene.worker(timers: clock.timers, observer: observer)
    let journal = worker.journal(of: scene.driver)
    for order in ["1", "2"] {
      _ = try await journal.record(order).get()
      try await journal.write(record(order)).get()
    }
    clock.advance(by: scene.configuration.lease / 3)
    #expect(
      await changes.first(3) == [
        ObservedLeases(.claimed, count: 1), ObservedLeases(.claimed, count: 1), ObservedLeases(.renewed, count: 2),
      ])
    try await scene.endLeases(of: "1")
    let other = try await scene.worker()
    _ = try await other.journal(of: scene.driver).record("1").get()
    _ = await error(of: journal.write(record("1")))
    #expect(await changes.first(4).last == ObservedLeases(.lost, count: 1))
    for worker in [worker, other] { try await worker.close().get() }
  }
}
