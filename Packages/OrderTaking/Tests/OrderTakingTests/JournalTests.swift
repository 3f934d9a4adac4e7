import Futures
import OrderTaking
import Testing

@Suite("A journal in memory") struct JournalTests {
  @Test("a journal in memory removes old delivered records, and never one with an unknown outcome") func retention() {
    let journal = Journal.inMemory(now: { Journal.standardRetention + .seconds(2_000) })
    func store(_ order: Int, _ outcome: TakingOutcome, isDelivered: Bool = true) {
      let intent = TakingIntent(order: Name(order), key: IdempotencyKey(high: 0, low: UInt64(order)))
      let checkpoint = TakingCheckpoint.ended(outcome)
      journal.store(
        TakingRecord(intent: intent, begunAt: .seconds(order), checkpoint: checkpoint, isDelivered: isDelivered))
    }
    store(2, .unknown(.expired))
    store(3, .cancelled, isDelivered: false)
    for order in 4...3_000 { store(order, .cancelled) }
    #expect(journal.stored(4) == nil && journal.stored(100) == nil)
    #expect(journal.stored(2) != nil && journal.stored(3) != nil && journal.stored(2_500) != nil)
  }

  @Test("a request to cancel an order during another change is not lost") func cancelDuringChange() {
    let storage = JournalStorage.inMemory()
    var journal = storage.journal("driver")
    journal.store(unfinished)
    let read = Promise<TakingRecord?, JournalError>()
    journal.record = { _ in read.future }
    let discarded = journal.discard(7, because: "called the depot")
    #expect(storage.requestCancel(7, "driver").value == true)
    read.success(unfinished)
    #expect(discarded.value == false)
    #expect(storage.journal("driver").stored(7)?.checkpoint == .ended(.unknown(.cancelled)))
  }

  @Test("a request to cancel an order after another start of the machine renews the time of its last PUT")
  func cancelAfterStart() {
    let storage = JournalStorage.inMemory()
    var record = unfinished
    record.lastPutAt = Moment(sinceEpoch: .zero, sinceBoot: .zero, boot: 1)
    storage.journal("driver").store(record)
    #expect(storage.requestCancel(7, "driver").value == true)
    #expect(storage.journal("driver").stored(7)?.lastPutAt?.boot == Moment.current.boot)
  }

  private let unfinished = TakingRecord(
    intent: TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: 1)), begunAt: .zero)
}
