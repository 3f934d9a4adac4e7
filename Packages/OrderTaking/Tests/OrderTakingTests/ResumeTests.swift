import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("Orders after a restart") struct ResumeTests {
  typealias World = Experiment<String>

  @Test("a restarted process resumes unfinished orders with their keys, and no ended order") func resume() {
    let journal = Journal.inMemory()
    let before = World(putRequestResults: [.none, .processing, .accepted, .declined("late")])
    let first = before.setup(journal: journal)
    for order in 1...4 {
      first.take(Name(order))
      before.clock.advance(by: .nanoseconds(1))
    }
    // The first process has ended.
    let after = World(
      putRequestResults: [.accepted], getRequestResults: [.accepted],
      orderDetailsResults: (1...3).map { .details("details \($0)") })
    let second = after.setup(journal: journal.ofNextProcess)
    let resumed = second.resume().orders()
    #expect(resumed.map(\.order) == [1, 2, 3])
    #expect(resumed.allSatisfy { $0.future.isSuccess })
    #expect(after.requests.map(\.kind) == [.put, .details, .get, .details, .details])
    #expect(after.requests.first?.key?.low == 1)
    #expect(second.resume().orders().isEmpty)
  }

  @Test("an order that is cancelled while the journal is read is not put again") func staleResume() {
    var journal = Journal.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal.ofNextProcess).take(7)
    let dueRecords = journal.dueRecords
    journal.dueRecords = { [journal] in
      let records = dueRecords($0, $1)
      for var record in records.value ?? [] {
        record.checkpoint = .ended(.cancelled)
        journal.store(record)
      }
      return records
    }
    let after = World(putRequestResults: [.accepted])
    let resumed = after.setup(journal: journal).resume().orders()
    #expect(resumed.first?.future.error?.kind == .cancelled)
    #expect(after.requests.isEmpty)
  }

  @Test("after a start of the machine, ten minutes since the first unknown outcome prove that a PUT is lost")
  func longAfterStart() {
    let journal = Journal.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal.ofNextProcess).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(putRequestResults: [], getRequestResults: Array(repeating: .error(nothing), count: 3))
    _ = after.setup()
    let taker = OrderTaker(
      httpClient: after.httpClient.client, journal: journal, timers: after.clock.timers(boot: 2),
      deliveringOn: immediateExecutionContext)
    after.clock.advance(by: .seconds(3_600))
    #expect(taker.resume().orders().first?.future.error?.kind == .unknown)
    after.clock.advance(by: .seconds(600))
    #expect(taker.reconcile(7).error?.kind == .unknown)
    after.clock.advance(by: .seconds(1))
    #expect(taker.reconcile(7).error?.kind == .expired)
  }

  @Test("with explicit acknowledgement, an outcome is delivered after each restart until it is acknowledged")
  func explicitAcknowledgement() {
    let journal = Journal.inMemory()
    func taker(_ answers: [TakingReply] = []) -> OrderTaker<String> {
      World(putRequestResults: answers).setup(journal: journal, acknowledging: .explicit)
    }
    #expect(taker([.declined("late")]).take(7).error?.reason == "late")
    #expect(taker().resume().orders().map { $0.future.error?.reason } == ["late"])
    let last = taker()
    let resumed = last.resume().orders()
    #expect(resumed.count == 1)
    for order in [7, 7, 8] as [OrderID] {
      #expect(resumed.compactMap(\.future.result).allSatisfy { last.acknowledge($0, of: order).isSuccess })
    }
    #expect(taker().resume().orders().isEmpty)
  }

  @Test("the result of a resumed order is unknown if its record cannot be read") func unreadableRecord() {
    let memory = Journal.inMemory()
    World(putRequestResults: [.none]).setup(journal: memory.ofNextProcess).take(7)
    var journal = memory
    journal.record = { _ in Future(error: JournalError(.damaged, "It is damaged. Restore it.")) }
    let taker = World(putRequestResults: []).setup(journal: journal)
    let unknown = OrderTakingFailure(
      kind: .unknown, journalError: JournalError(.damaged, "It is damaged. Restore it."))
    #expect(taker.resume().orders().map(\.future.error) == [unknown])
    #expect(taker.reconcile(7).error == unknown)
    #expect(taker.take(7).error?.kind == .journal)
  }

  @Test("outcomes that a process recorded and did not deliver are delivered after the restart") func undelivered() {
    let journal = Journal.inMemory(now: { .zero })
    let before = World(
      putRequestResults: [.accepted, .declined("late"), .none], orderDetailsResults: [.details("details")])
    // The process dies before anything is delivered.
    let first = before.setup(policy: .standard, journal: journal, deliveringOn: { _ in })
    let undelivered = (1...3).map { first.take(Name($0)) }
    first.cancel(3)
    #expect(undelivered.allSatisfy { !$0.isCompleted })
    #expect(journal.open.allSatisfy { $0.state != .unfinished && $0.needsResuming })

    let after = World(putRequestResults: [], orderDetailsResults: [.details("details")])
    let second = after.setup(policy: .standard, journal: journal.ofNextProcess)
    let resumed = second.resume().orders()
    #expect(Set(resumed.map(\.order)) == [1, 2, 3])
    for order in resumed {
      switch order.order {
      case 1: #expect(order.future.value?.details == "details")
      case 2: #expect(order.future.error?.outcome == .declined(reason: "late"))
      default: #expect(order.future.error?.kind == .unknown)
      }
    }
    // Only the details are requested.
    #expect(after.requests.map(\.kind) == [.details])
    // Each is delivered once.
    #expect(second.resume().orders().isEmpty)
    #expect((1...3).allSatisfy { journal.stored(Name($0))?.isDelivered == true })
  }

  @Test("an outcome is acknowledged after its delivery, and never in the record of a later intent") func delivered() {
    let journal = Journal.inMemory()
    let delivered = Locked<[@Sendable () -> Void]>([])
    let experiment = World(putRequestResults: [.declined("late"), .none])
    let taker = experiment.setup(journal: journal, deliveringOn: { work in delivered.withLock { $0.append(work) } })
    taker.take(7)
    #expect(journal.stored(7)?.isDelivered == false)
    // The order is taken again before its first outcome was delivered.
    taker.take(7)
    for work in delivered.withLock({ $0 }) { work() }
    #expect(journal.stored(7)?.intent.key.low == 2)
    #expect(journal.stored(7)?.checkpoint == .begun)
    #expect(journal.stored(7)?.isDelivered == false)
  }

  @Test("all effects of an event are performed before the next event, which may arrive in between") func inTurn() {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let memory = Journal.inMemory()
    var journal = memory
    journal.write = { record in
      if record.checkpoint == .begun { experiment.pushClient.send(.accepted, for: 7) }
      return memory.write(record)
    }
    #expect(experiment.setup(journal: journal).take(7).value?.details == "details")
    #expect(experiment.requests.map(\.kind) == [.details])
  }

  @Test("an unknown outcome is reconciled without a PUT") func reconcile() {
    let experiment = World(
      putRequestResults: [.none], getRequestResults: [.processing, .accepted],
      orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    taker.take(7)
    taker.cancel(7)
    let reconciled = taker.reconcile(7)
    experiment.clock.advance(by: .seconds(1))
    #expect(reconciled.value?.details == "details")
    #expect(experiment.count(of: .put) == 1)
    #expect(taker.reconcile(8).error?.kind == .journal)
  }

  @Test("a record has the attempts with their worker, times, requests and last errors, without additional writes")
  func attempts() {
    let journal = Journal.inMemory()
    let writes = Locked(0)
    var counting = journal
    counting.write = { record in
      writes.withLock { $0 += 1 }
      return journal.write(record)
    }
    let before = World(putRequestResults: [.error(.status(503)), .none])
    let first = before.setup(policy: .deck, journal: counting)
    first.take(7)
    before.clock.advance(by: .milliseconds(1))
    first.cancel(7)
    // Two PUTs, and the end.
    #expect(writes.withLock { $0 } == 3)
    #expect(
      journal.stored(7)?.attempts == [
        TakingAttempt(
          worker: JournalStorage.inMemory().name, startedAt: .zero, lastChangeAt: .milliseconds(1), requestCount: 2,
          lastError: "status 503")
      ])
    for _ in 0..<10 {
      let taker = World(putRequestResults: [.none]).setup(journal: journal)
      taker.take(7)
      taker.cancel(7)
    }
    #expect(journal.stored(7)?.attempts.count == 8 && journal.stored(7)?.attempts.first?.requestCount == 2)
  }
}
