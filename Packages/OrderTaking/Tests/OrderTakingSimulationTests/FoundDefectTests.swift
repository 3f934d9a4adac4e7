import Futures
import OrderTaking
import Synchronization
import Testing

/// Defects that the simulation has found.
@Suite("A defect that the simulation found") struct FoundDefectTests {
  @Test("the read of a record before a cancellation does not confirm the cancellation") func staleRead() {
    let now = Moment(sinceEpoch: .zero, sinceBoot: .zero, boot: 1)
    var operation = TakingOperation(key: IdempotencyKey(high: 0, low: 1))
    operation.handle(.begin, at: now)
    operation.handle(.notPersisted(.begun, .unknown), at: now)
    operation.handle(.cancel, at: now)
    operation.handle(.notPersisted(.ended(.cancelled), .unknown), at: now)
    #expect(operation.handle(.recordRead(.begun, isCurrent: true), at: now).isEmpty)
    operation.handle(.recordRead(.ended(.cancelled), isCurrent: false), at: now)
    #expect(operation.outcome == .unknown(.journal))
  }

  @Test("a fenced process does not acknowledge the outcome that another process has recorded") func fenced() {
    let acknowledged = Flag()
    let journal = Journal<Int>(
      write: { record in
        if case .ended = record.checkpoint { Future(error: JournalError(.fenced, "")) } else { Future(value: ()) }
      },
      record: { _ in Future(value: nil) }, openRecords: { Future(value: []) },
      acknowledge: { _ in
        acknowledged.set()
        return Future(value: ())
      })
    let taker = OrderTaker<Int, Int>(
      httpClient: OrderHTTPClient(
        take: { _ in Future(value: .declined("late")) },
        takingOperationStatus: { _ in Future(value: .declined("late")) },
        acceptedOrderDetails: { _ in Future(error: .status(404)) }),
      journal: journal,
      timers: Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero, boot: 1) }),
      deliveringOn: immediateExecutionContext)
    #expect(taker.take(7).error?.kind == .unknown)
    #expect(!acknowledged.isSet)
  }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
