import OrderTaking
import Testing

@testable import OrderTakingPostgres

@Suite("Notifications of pushes to a worker") struct PushNotificationTests {
  private var state = WorkerState(claimTimeLimit: .seconds(10))

  private func id(_ order: String) -> TakingID { TakingID(driver: "d", order: order) }

  private func row(_ order: String) -> TakingRow { TakingRow(record(order)) }

  private mutating func own(_ order: String, fence: Int64) {
    state.add(0, .claim, of: id(order), at: .zero)
    state.claimed(
      id(order), isOwned: false,
      .success(WorkerState.Claimed(fence: fence, isCancelRequested: false, row: row(order))))
    _ = state.takeEffects()
  }

  private mutating func notify(_ order: String) throws {
    let notification = try #require(Notification(Notification.pushed(id(order)).payload))
    if case .pushed(let prefixes) = notification { state.pushed(prefixes) }
  }

  private mutating func renewed() -> Set<String>? {
    for case .renew(let held) in state.takeEffects() { return Set(held.keys.map(\.order)) }
    return nil
  }

  @Test("a notification reads only the order of the push, and no orders whose names begin with its name")
  mutating func exact() throws {
    for (index, order) in ["1", "10", "11"].enumerated() { own(order, fence: Int64(index)) }
    try notify("1")
    #expect(renewed() == ["1"])
  }

  @Test("a notification reads every order with the same long beginning, because its text is cut")
  mutating func cut() throws {
    let long = String(repeating: "o", count: 200)
    for (index, order) in [long, long + "1", long + "2", "o"].enumerated() { own(order, fence: Int64(index)) }
    try notify(long + "1")
    #expect(renewed() == [long, long + "1", long + "2"])
  }

  @Test("a write does not wait for more than one read of pushes") mutating func fairness() throws {
    own("1", fence: 1)
    own("2", fence: 2)
    try notify("1")
    #expect(renewed() == ["1"])
    state.add(1, .write(row("2")), of: id("2"), at: .zero)
    try notify("1")
    state.renewed([id("1"): 1], .success([id("1"): WorkerState.Renewed()]))
    var written: [Write] = []
    for case .write(let writes) in state.takeEffects() { written += writes }
    #expect(written.map(\.id) == [id("2")])
    state.wrote(written, .success([id("2")]))
    #expect(renewed() == ["1"])
  }
}
