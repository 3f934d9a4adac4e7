import OrderTaking
import Testing

@Suite("A journal in memory, and its records") struct JournalTests {
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

  @Test("a listed record is described in one line") func description() {
    let attempt = TakingAttempt(
      worker: "w", startedAt: .zero, lastChangeAt: .seconds(60), requestCount: 1, lastError: "timed out")
    let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: 1))
    func text(_ checkpoint: TakingCheckpoint, isDelivered: Bool, owner: String? = nil) -> String {
      let record = TakingRecord(
        intent: intent, begunAt: .zero, checkpoint: checkpoint, isDelivered: isDelivered, attempts: [attempt])
      return ListedRecord(driver: "ann", record: record, owner: owner).description
    }
    let times = "begun 1970-01-01T00:00:00Z, changed 1970-01-01T00:01:00Z"
    #expect(
      text(.ended(.unknown(.expired)), isDelivered: true)
        == "order 7 of ann: unknown, \(times), due 1970-01-01T00:02:00Z, last error: timed out")
    #expect(
      text(.begun, isDelivered: false, owner: "host:1")
        == "order 7 of ann: unfinished, \(times), due now, owner host:1, last error: timed out")
    #expect(
      text(.ended(.declined(reason: "late")), isDelivered: true)
        == "order 7 of ann: declined (late), \(times), last error: timed out")
  }
}
