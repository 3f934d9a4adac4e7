import Foundation
import Futures
import OrderTaking
import OrderTakingTesting
import TestSupport
import Testing

@Suite("The delivery of an outcome") struct DeliveryTests {
  typealias World = Experiment<String>

  /// A journal in memory whose calls claim a lease of the order, as those of a shared database do.
  private struct LeasedJournal: Sendable {
    let leases = Locked<Set<OrderID>>([])
    let calls = Log<String>()
    let journal: Journal

    init(_ onRelease: @escaping @Sendable () -> Void = {}) {
      let (leases, calls, memory) = (leases, calls, Journal.inMemory(now: { .zero }))
      var journal = memory
      @Sendable func lease(_ order: OrderID) { leases.withLock { _ = $0.insert(order) } }
      journal.record = { order in
        calls.append("record")
        lease(order)
        return memory.record(order)
      }
      journal.write = { record in
        lease(record.intent.order)
        return memory.write(record)
      }
      journal.dueRecords = { limit, underWay in
        memory.dueRecords(limit, leases.withLock { underWay.union($0) })
          .onSuccess(immediateExecutionContext) { for record in $0 { lease(record.intent.order) } }
      }
      journal.acknowledge = { record in
        lease(record.intent.order)
        return memory.acknowledge(record)
      }
      journal.release = { order in
        onRelease()
        calls.append("release")
        leases.withLock { _ = $0.remove(order) }
      }
      self.journal = journal
    }
  }

  @Test(
    "after a delivery that ends later than the next operation, the journal has released the order",
    arguments: [true, false])
  func late(byAnotherTaker: Bool) {
    let leased = LeasedJournal()
    let deliveries = Locked<[@Sendable () -> Void]>([])
    let experiment = World(putRequestResults: [.none, .none])
    let first = experiment.setup(
      journal: leased.journal, deliveringOn: { work in deliveries.withLock { $0.append(work) } })
    let second = byAnotherTaker ? experiment.setup(journal: leased.journal) : first
    for taker in [first, second] {
      taker.take(7)
      taker.cancel(7)
    }
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    #expect(leased.leases.withLock { $0.isEmpty })
  }

  @Test("the journal receives the release of a taker before the calls of the one that takes the order over")
  func order() async {
    let (takers, taken) = (Log<OrderTaker<String>>(), Log<Void>())
    let leased = LeasedJournal {
      let started = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        started.signal()
        takers.all[1].take(7)
        taken.append(())
      }
      started.wait()
      // The call waits for a lock, and without the lock it would end now.
      for _ in 0..<1_000 where taken.count == 0 { sched_yield() }
    }
    let experiment = World(putRequestResults: [.declined("late"), .none])
    for _ in 1...2 { takers.append(experiment.setup(journal: leased.journal)) }
    takers.all[0].take(7)
    _ = await taken.first(1)
    #expect(leased.calls.all == ["record", "release", "record"])
  }

  enum Wait: CaseIterable { case put, details, delivery }

  @Test(
    "an outcome is left to others if its callers cancel before they receive it", arguments: Wait.allCases,
    [ResultAcknowledgement.automatic, .explicit])
  func abandoned(during wait: Wait, acknowledgement: ResultAcknowledgement) {
    let journal = Journal.inMemory(now: { .zero })
    let deliveries = Locked<[@Sendable () -> Void]>([])
    let reply = [Wait.put: TakingReply.none, .details: .accepted, .delivery: .declined("late")][wait] ?? .none
    let taker = World(putRequestResults: [reply]).setup(
      journal: journal, deliveringOn: { work in deliveries.withLock { $0.append(work) } },
      acknowledging: acknowledgement)
    let future = taker.take(7)
    future.cancel()
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    #expect(future.error?.kind == .unknown)
    let others = World(putRequestResults: [], orderDetailsResults: [.details("details")])
      .setup(journal: journal).resume().orders().map { $0.future.value?.details ?? $0.future.error?.kind.rawValue }
    #expect(others == [[.put: "unknown", .details: "details", .delivery: "declined"][wait]])
    withExtendedLifetime(taker) {}
  }

  @Test("a late acknowledgement does not end the claim of another taker that delivers") func lateAcknowledgement() {
    let journal = Journal.inMemory(now: { .zero })
    let deliveries = Locked<[@Sendable () -> Void]>([])
    let experiment = World(putRequestResults: [.declined("late"), .declined("late")])
    let first = experiment.setup(journal: journal, acknowledging: .explicit)
    if let result = first.take(7).result { first.acknowledge(result, of: 7) }
    let second = experiment.setup(
      journal: journal, deliveringOn: { work in deliveries.withLock { $0.append(work) } })
    second.take(7)
    first.acknowledge(.failure(.cancellation), of: 7)
    // Only the second taker delivers its outcome.
    #expect(World(putRequestResults: []).setup(journal: journal).resume().orders().isEmpty)
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    #expect(journal.stored(7)?.isDelivered == true)
  }

  @Test("an earlier delivery of a taker leaves its next outcome to that taker") func earlierDelivery() {
    let journal = Journal.inMemory(now: { .zero })
    let deliveries = Locked<[@Sendable () -> Void]>([])
    let taker = World(putRequestResults: [.declined("late"), .declined("late")]).setup(
      journal: journal, deliveringOn: { work in deliveries.withLock { $0.append(work) } })
    let other = World(putRequestResults: []).setup(journal: journal)
    for _ in 1...2 { taker.take(7) }
    for deliver in deliveries.withLock({ $0 }) {
      #expect(other.resume().orders().isEmpty)
      deliver()
    }
    #expect(journal.stored(7)?.isDelivered == true)
  }

  @Test("an acknowledgement of an earlier outcome leaves the next one to its taker", arguments: ["late", "early"])
  func earlierAcknowledgement(reason: String) {
    let journal = Journal.inMemory(now: { .zero })
    let taker = World(putRequestResults: [.declined("late"), .declined(reason)]).setup(
      journal: journal, acknowledging: .explicit)
    let other = World(putRequestResults: []).setup(journal: journal)
    let results = (1...2).compactMap { _ in taker.take(7).result }
    taker.acknowledge(results[0], of: 7)
    #expect(journal.stored(7)?.isDelivered == false)
    #expect(other.resume().orders().isEmpty)
    taker.acknowledge(results[1], of: 7)
    #expect(journal.stored(7)?.isDelivered == true)
  }

  enum RepeatedCall: CaseIterable { case unreadable, unwritable, otherBody, cancelled }

  @Test(
    "after a repeated call without an outcome, the order stays with its taker until the earlier one is acknowledged",
    arguments: RepeatedCall.allCases, [false, true])
  func repeated(call: RepeatedCall, isAcknowledgedInBetween: Bool) throws {
    let leased = LeasedJournal()
    let (read, write) = (Locked(Future<TakingRecord?, JournalError>?.none), Locked(JournalError?.none))
    var journal = leased.journal
    journal.record = { order in read.withLock { $0 } ?? leased.journal.record(order) }
    journal.write = { record in write.withLock { $0 }.map { Future(error: $0) } ?? leased.journal.write(record) }
    let isAccepted = [.otherBody, .cancelled].contains(call)
    let experiment = World(
      putRequestResults: [isAccepted ? .accepted : .declined("late")], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(journal: journal, acknowledging: .explicit)
    let other = experiment.setup(journal: leased.journal, acknowledging: .explicit)
    let result = try #require(taker.take(7).result)

    let answer = Promise<TakingRecord?, JournalError>()
    read.withLock { $0 = answer.future }
    if call == .unwritable { write.withLock { $0 = .failed } }
    let repeated = taker.take(7, body: call == .otherBody ? [1] : [])
    read.withLock { $0 = nil }
    if isAcknowledgedInBetween { taker.acknowledge(result, of: 7) }
    if call == .unreadable { answer.failure(.failed) } else { answer.success(leased.journal.stored(7)) }
    if call == .cancelled { repeated.cancel() }
    #expect(repeated.isCompleted)

    if !isAcknowledgedInBetween {
      #expect(other.resume().orders().isEmpty)
      taker.acknowledge(result, of: 7)
    }
    #expect(leased.leases.withLock { $0.isEmpty })
    #expect(other.reconcile(7).error?.journalError == nil)
  }
}
