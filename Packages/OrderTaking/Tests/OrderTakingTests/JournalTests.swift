import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("A taker with a journal") struct JournalTests {
  typealias World = Experiment<Int, String>

  /// A journal in memory whose writes and reads can fail.
  struct Recorder {
    let checkpoints = Locked<[TakingCheckpoint]>([])
    /// The beginnings of the checkpoints whose writes fail.
    let failing = Locked<Set<String>>([])
    let memory = Journal<Int>.inMemory()

    var journal: Journal<Int> {
      var journal = memory
      journal.write = { [checkpoints, failing, memory] record in
        if failing.withLock({ $0.contains("\(record.checkpoint)".prefix(5).description) }) {
          let order = record.intent.order
          return Future(
            error: JournalError(.storage, "Cannot write order \(order): the disk is full. Free some space."))
        }
        checkpoints.withLock { $0.append(record.checkpoint) }
        return memory.write(record)
      }
      return journal
    }
  }

  @Test("an acknowledgement applies only to the record that was delivered") func acknowledgementInMemory() {
    func record(_ checkpoint: TakingCheckpoint, _ key: UInt64) -> TakingRecord<Int> {
      TakingRecord(
        intent: TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: key)), begunAt: .zero, checkpoint: checkpoint)
    }
    let delivered = record(.ended(.expired), 1)
    let journal = Journal<Int>.inMemory()
    _ = journal.acknowledge(delivered)
    #expect(journal.open.isEmpty)
    for later in [record(.begun, 1), record(.ended(.expired), 2)] {
      journal.store(later)
      _ = journal.acknowledge(delivered)
      #expect(journal.open == [later])
    }
    journal.store(delivered)
    _ = journal.acknowledge(delivered)
    #expect(journal.stored(7)?.isDelivered == true)
  }

  @Test("a journal in memory removes old delivered records, and never one with an unknown outcome")
  func retentionInMemory() {
    let journal = Journal<Int>.inMemory(retention: JournalRetention(deliveredRecords: .seconds(60)))
    func store(_ order: Int, _ outcome: TakingOutcome, at second: Int, isDelivered: Bool = true) {
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 0, low: UInt64(order)))
      journal.store(
        TakingRecord(
          intent: intent, begunAt: .seconds(second), checkpoint: .ended(outcome), isDelivered: isDelivered))
    }
    store(1, .cancelled, at: 0)
    store(2, .unknown(.expired), at: 0)
    store(3, .cancelled, at: 0, isDelivered: false)
    for order in 4...2_000 { store(order, .cancelled, at: order) }
    #expect(journal.stored(1) == nil && journal.stored(100) == nil)
    #expect(journal.stored(2) != nil && journal.stored(3) != nil && journal.stored(2_000) != nil)
  }

  @Test("by default, a journal in memory keeps delivered records for 30 days") func defaultRetentionInMemory() {
    let journal = Journal<Int>.inMemory()
    func store(_ order: Int, at second: Int) {
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 0, low: UInt64(order)))
      journal.store(
        TakingRecord(intent: intent, begunAt: .seconds(second), checkpoint: .ended(.cancelled), isDelivered: true))
    }
    let day = 86_400
    for order in 0..<2_000 { store(order, at: order % 2 * day) }
    for order in 2_000..<4_100 { store(order, at: 31 * day - 1) }
    #expect(journal.stored(0) == nil && journal.stored(1) != nil)
  }

  @Test("a taker records each checkpoint once, and the first one before it sends") func order() throws {
    let recorder = Recorder()
    let experiment = World(
      putRequestResults: [], getRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(journal: recorder.journal)
    experiment.httpClient.takeClosure = { intent in
      #expect(recorder.checkpoints.withLock { $0 } == [.begun])
      #expect(recorder.memory.stored(7)?.intent == intent)
      return Future(value: .processing)
    }
    taker.take(7, body: [1, 2, 3])
    experiment.clock.advance(by: .seconds(1))
    #expect(
      recorder.checkpoints.withLock { $0 } == [.begun, .acknowledged, .accepted, .ended(.accepted(hasDetails: true))])
  }

  @Test("a taker sends nothing if the journal cannot be written") func refused() {
    let recorder = Recorder()
    recorder.failing.withLock { $0 = ["begun"] }
    let experiment = World(putRequestResults: [.accepted])
    let future = experiment.setup(journal: recorder.journal).take(7)
    #expect(future.error?.kind == .journal)
    #expect(future.error?.reason.contains("the disk is full. Free some space.") == true)
    #expect(experiment.requests.isEmpty)
  }

  @Test("a taker sends nothing if the journal cannot be read") func unreadable() {
    var journal = Journal<Int>.inMemory()
    journal.record = { _ in Future(error: JournalError(.damaged, "It is damaged. Restore it.")) }
    let experiment = World(putRequestResults: [.accepted])
    let taker = experiment.setup(journal: journal)
    #expect(taker.take(7).error == OrderTakingFailure(.journal, reason: "It is damaged. Restore it."))
    #expect(experiment.requests.isEmpty && taker.ordersUnderWay.isEmpty)
  }

  @Test("an acceptance is reported although later checkpoints cannot be written") func refusedLater() {
    let recorder = Recorder()
    recorder.failing.withLock { $0 = ["accep", "ended"] }
    let experiment = World(putRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let future = experiment.setup(journal: recorder.journal).take(7)
    #expect(future.value?.details == "details")
  }
}
