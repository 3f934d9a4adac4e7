import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("Orders after a restart") struct ResumeTests {
  typealias World = Experiment<Int, String>

  @Test("a restarted process resumes unfinished orders with their keys, and no ended order") func resume() {
    let journal = Journal<Int>.inMemory()
    let before = World(putRequestResults: [.none, .processing, .accepted, .declined("late")])
    let first = before.setup(journal: journal)
    for order in 1...4 {
      first.take(order)
      before.clock.advance(by: .nanoseconds(1))
    }
    // The first process has ended.
    let after = World(
      putRequestResults: [.accepted], getRequestResults: [.accepted],
      orderDetailsResults: (1...3).map { .details("details \($0)") })
    let second = after.setup(journal: journal)
    let resumed = second.resume().orders()
    #expect(resumed.map(\.order) == [1, 2, 3])
    #expect(resumed.allSatisfy { $0.future.isSuccess })
    #expect(after.requests.map(\.kind) == [.put, .details, .get, .details, .details])
    #expect(after.requests.first?.key?.low == 1)
    #expect(second.resume().orders().isEmpty)
  }

  @Test("an order that is cancelled while the journal is read is not put again") func staleResume() {
    var journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal).take(7)
    let openRecords = journal.openRecords
    journal.openRecords = { [journal] in
      let records = openRecords()
      for var record in records.value ?? [] {
        record.checkpoint = .ended(.cancelled)
        record.isDelivered = true
        journal.store(record)
      }
      return records
    }
    let after = World(putRequestResults: [.accepted])
    let resumed = after.setup(journal: journal).resume().orders()
    #expect(resumed.first?.future.error?.kind == .cancelled)
    #expect(after.requests.isEmpty)
  }

  @Test("an order that is older than the deadline is resumed with GET") func tooOld() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let after = World(putRequestResults: [], getRequestResults: [.error(.status(404))])
    after.clock.advance(by: .seconds(121))
    let resumed = after.setup(policy: .standard, journal: journal).resume().orders()
    #expect(after.requests.map(\.kind) == [.get])
    #expect(resumed.first?.future.error?.status == 404)
    #expect(resumed.first?.future.error?.kind == .unknown)
  }

  @Test("the deadline of one operation does not change the age limit of the taker") func otherDeadline() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    var brief = TakingPolicy.standard
    brief.deadline = .seconds(5)
    // With a limit of five seconds it would be too old for another PUT.
    let soon = World(putRequestResults: [.none])
    soon.clock.advance(by: .seconds(60))
    let resumed = soon.setup(policy: .standard, journal: journal).resume(under: brief).orders().first?.future
    soon.clock.advance(by: .seconds(4))
    #expect(soon.requests.map(\.kind) == [.put] && resumed?.result == nil)
    soon.clock.advance(by: .seconds(1))
    #expect(resumed?.error?.kind == .unknown && soon.clock.armedCount == 0)
  }

  @Test("the time of the last PUT is recorded, however long the operation takes") func lastPut() throws {
    let journal = Journal<Int>.inMemory()
    var patient = TakingPolicy.standard
    (patient.deadline, patient.attempts, patient.retries) = (.seconds(3_600), nil, .constant(.seconds(50)))
    let world = World(putRequestResults: Array(repeating: .error(.status(503)), count: 30))
    world.setup(policy: .standard, journal: journal).take(7, under: patient)
    for _ in 0..<30 { world.clock.advance(by: .seconds(50)) }
    let last = try #require(world.requests.last { $0.kind == .put }?.at)
    #expect(journal.stored(7)?.lastPutAt?.sinceBoot == last && last >= .seconds(1_400))
  }

  @Test("a PUT that was lost long ago ends as expired, and the order is then taken under another key")
  func longPast() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(
      putRequestResults: [.declined("late")], getRequestResults: [.error(nothing), .error(nothing), .error(nothing)])
    after.clock.advance(by: .seconds(600))
    let taker = after.setup(policy: .standard, journal: journal)
    #expect(taker.resume().orders().first?.future.error?.kind == .unknown)
    after.clock.advance(by: .seconds(1))
    #expect(taker.reconcile(7).error?.kind == .expired)
    #expect(journal.stored(7)?.hasKnownOutcome == true)
    #expect(taker.reconcile(7).error?.kind == .expired && after.count(of: .get) == 2)
    #expect(taker.take(7).error?.kind == .declined)
    #expect(after.requests.last?.kind == .put && after.requests.last?.key != nil)
  }

  @Test("after a start of the machine, a clock that was set forward does not prove that a PUT is lost")
  func clockSetForward() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(putRequestResults: [], getRequestResults: [.error(nothing)])
    let taker = OrderTaker(
      httpClient: {
        _ = after.setup(); return after.httpClient.client
      }(), journal: journal,
      timers: after.clock.timers(boot: 2, clockError: .seconds(7_200)), deliveringOn: immediateExecutionContext)
    #expect(taker.resume().orders().first?.future.error?.kind == .unknown)
    #expect(after.requests.map(\.kind) == [.get])
  }

  @Test("taking an order with an unknown outcome again sends a new PUT, which may be in flight") func renewed() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(putRequestResults: [.none], getRequestResults: [.error(nothing)])
    after.clock.advance(by: .seconds(3_600))
    let taker = after.setup(policy: .standard, journal: journal)
    taker.take(7)
    taker.cancel(7)
    #expect(taker.reconcile(7).error?.kind == .unknown)
  }

  @Test("an unknown outcome of the first write is read again, and nothing is sent") func ambiguousWrite() {
    let memory = Journal<Int>.inMemory()
    for isStored in [true, false] {
      var journal = memory
      journal.write = { record in
        if isStored || record.checkpoint != .begun { memory.store(record) }
        let isFirst = record.checkpoint == .begun
        return isFirst
          ? Future(error: JournalError(.unknownOutcome, "Cannot sync. Check the disk.")) : Future(value: ())
      }
      let order = isStored ? 7 : 8
      let experiment = World(putRequestResults: [.none])
      let future = experiment.setup(journal: journal).take(order)
      #expect(experiment.count(of: .put) == (isStored ? 1 : 0))
      #expect(future.error?.kind == (isStored ? nil : .unknown))
    }
  }

  @Test("a slow journal delays its own order, and no other call") func slowJournal() {
    let memory = Journal<Int>.inMemory()
    let writes = Locked<[Promise<Void, JournalError>]>([])
    var journal = memory
    journal.write = { record in
      memory.store(record)
      let promise = Promise<Void, JournalError>()
      if record.intent.order == 7 { writes.withLock { $0.append(promise) } } else { promise.success(()) }
      return promise.future
    }
    let experiment = World(putRequestResults: [.none, .none])
    let taker = experiment.setup(journal: journal)
    taker.take(7)
    #expect(experiment.requests.isEmpty)
    taker.take(8)
    #expect(experiment.requests.map(\.order) == [8])
    for write in writes.withLock({ $0 }) { write.success(()) }
    #expect(experiment.requests.map(\.order) == [8, 7])
  }

  @Test("with explicit acknowledgement, an outcome is delivered after each restart until it is acknowledged")
  func explicitAcknowledgement() {
    let journal = Journal<Int>.inMemory()
    func taker(_ answers: [TakingReply] = []) -> OrderTaker<Int, String> {
      World(putRequestResults: answers).setup(journal: journal, acknowledging: .explicit)
    }
    #expect(taker([.declined("late")]).take(7).error?.reason == "late")
    #expect(taker().resume().orders().map { $0.future.error?.reason } == ["late"])
    let last = taker()
    let resumed = last.resume().orders()
    #expect(resumed.count == 1)
    for order in [7, 7, 8] {
      #expect(last.acknowledge(.failure(OrderTakingFailure(.declined, reason: "late")), of: order).isSuccess)
    }
    #expect(taker().resume().orders().isEmpty)
  }

  @Test("acknowledging a result leaves another outcome in the journal undelivered") func otherOutcome() {
    let journal = Journal<Int>.inMemory()
    let first = World(putRequestResults: [.declined("late")]).setup(journal: journal, acknowledging: .explicit)
    #expect(first.take(7).error?.kind == .declined)
    let accepted = AcceptedOrder<Int, String>(order: 7, details: nil)
    // Two unknown outcomes of the same kind can have different causes.
    let others = [(.unknown, "late"), (.declined, "cancelled")].map { OrderTakingFailure($0, reason: $1) }
    for result in others.map({ .failure($0) }) + [.success(accepted)] as [Result<_, _>] {
      #expect(first.acknowledge(result, of: 7).isSuccess)
    }
    let second = World(putRequestResults: []).setup(journal: journal, acknowledging: .explicit)
    #expect(second.resume().orders().map { $0.future.error?.reason } == ["late"])
  }

  @Test("an unknown outcome is acknowledged although its failure names the error of the journal") func errorOfJournal()
  {
    let memory = Journal<Int>.inMemory()
    let count = Locked(0)
    var journal = memory
    journal.write = { record in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number > 1
        ? memory.write(record) : Future(error: JournalError(.unknownOutcome, "Cannot write. Check the disk."))
    }
    let taker = World(putRequestResults: []).setup(journal: journal, acknowledging: .explicit)
    let failure = taker.take(7).error ?? .cancellation
    #expect(failure.reason.hasSuffix("The error of the journal: Cannot write. Check the disk."))
    #expect(memory.stored(7)?.checkpoint == .ended(.unknown(.journal)))
    #expect(taker.acknowledge(.failure(failure), of: 7).isSuccess)
    #expect(memory.stored(7)?.isDelivered == true)
  }

  @Test("an order that is being reconciled cannot be taken with another body") func otherBodyWhileReconciling() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal).take(7, body: [1])
    let taker = World(putRequestResults: [.none], getRequestResults: [.none]).setup(journal: journal)
    taker.reconcile(7)
    #expect(taker.take(7, body: [2]).error?.kind == .keyMismatch)
    #expect(taker.take(7, body: [1]).error == nil)
  }

  @Test("the result of a resumed order is unknown if its record cannot be read") func unreadableRecord() {
    let memory = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: memory).take(7)
    var journal = memory
    journal.record = { _ in Future(error: JournalError(.damaged, "It is damaged. Restore it.")) }
    let taker = World(putRequestResults: []).setup(journal: journal)
    let unknown = OrderTakingFailure(.unknown, reason: "It is damaged. Restore it.")
    #expect(taker.resume().orders().map(\.future.error) == [unknown])
    #expect(taker.reconcile(7).error == unknown)
    #expect(taker.take(7).error?.kind == .journal)
  }

  @Test("outcomes that a process recorded and did not deliver are delivered after the restart") func undelivered() {
    let journal = Journal<Int>.inMemory()
    let before = World(
      putRequestResults: [.accepted, .declined("late"), .none], orderDetailsResults: [.details("details")])
    // The process dies before anything is delivered.
    let first = before.setup(policy: .standard, journal: journal, deliveringOn: { _ in })
    let undelivered = (1...3).map { first.take($0) }
    first.cancel(3)
    #expect(undelivered.allSatisfy { !$0.isCompleted })
    #expect(journal.open.allSatisfy { !$0.isUnfinished && $0.needsResuming })

    let after = World(putRequestResults: [], orderDetailsResults: [.details("details")])
    let second = after.setup(policy: .standard, journal: journal)
    let resumed = second.resume().orders()
    #expect(Set(resumed.map(\.order)) == [1, 2, 3])
    for order in resumed {
      switch order.order {
      case 1: #expect(order.future.value?.details == "details")
      case 2: #expect(order.future.error == OrderTakingFailure(.declined, reason: "late"))
      default: #expect(order.future.error?.kind == .unknown)
      }
    }
    // Only the details are requested.
    #expect(after.requests.map(\.kind) == [.details])
    // Each is delivered once.
    #expect(second.resume().orders().isEmpty)
    #expect((1...3).allSatisfy { journal.stored($0)?.isDelivered == true })
  }

  @Test("an outcome is acknowledged after its delivery, and never in the record of a later intent") func delivered() {
    let journal = Journal<Int>.inMemory()
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

  @Test("an outcome is delivered although it cannot be acknowledged") func notAcknowledged() {
    var journal = Journal<Int>.inMemory()
    journal.acknowledge = { _ in
      Future(error: JournalError(.storage, "Cannot write: the disk is full. Free some space."))
    }
    let experiment = World(putRequestResults: [.declined("late")])
    #expect(experiment.setup(journal: journal).take(7).error?.reason == "late")
  }

  @Test("after a restart a clock that moved forward causes GET, and a clock that moved back causes PUT")
  func clocks() {
    for (begunAt, kind) in [(Duration.seconds(-7_200), TakingRequest.Kind.get), (.seconds(7_200), .put)] {
      let journal = Journal<Int>.inMemory()
      journal.store(
        TakingRecord(intent: TakingIntent(order: 7, key: IdempotencyKey(high: 1, low: 2)), begunAt: begunAt))
      let experiment = World(putRequestResults: [.none], getRequestResults: [.none])
      experiment.setup(policy: .standard, journal: journal).resume()
      #expect(experiment.requests.map(\.kind) == [kind])
    }
  }

  @Test("an order gets a new key after the server has forgotten the old one") func expiredKey() {
    let expired = HTTPError.status(422, problem: .idempotencyKeyExpired)
    let experiment = World(
      putRequestResults: [.error(expired), .accepted, .none, .error(expired)], getRequestResults: [.accepted],
      orderDetailsResults: [.details("details"), .details("details")])
    let taker = experiment.setup(policy: .standard)
    #expect(taker.take(7).error?.kind == .keyExpired)
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.requests.map(\.key?.low) == [1, 2, nil])
    // An earlier PUT may have arrived, so the order may be ours, and GET decides.
    let open = taker.take(8)
    experiment.clock.advance(by: .seconds(31))
    #expect(open.value?.details == "details")
    #expect(experiment.requests.suffix(4).map(\.kind) == [.put, .put, .get, .details])
  }

  @Test("all effects of an event are performed before the next event, which may arrive in between") func inTurn() {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let memory = Journal<Int>.inMemory()
    var journal = memory
    journal.write = { record in
      if record.checkpoint == .begun { experiment.pushClient.send(.accepted, for: 7) }
      return memory.write(record)
    }
    #expect(experiment.setup(journal: journal).take(7).value?.details == "details")
    #expect(experiment.requests.map(\.kind) == [.details])
  }

  @Test("the outcome of a reconciled order is delivered after a restart, although its first outcome was")
  func undeliveredAgain() {
    let journal = Journal<Int>.inMemory()
    let before = World(putRequestResults: [.none], getRequestResults: [.declined("late")])
    let first = before.setup(journal: journal)
    first.take(7)
    first.cancel(7)
    #expect(journal.stored(7)?.isDelivered == true)
    // The next process gets the result, and ends before the delivery.
    before.setup(journal: journal, deliveringOn: { _ in }).reconcile(7)
    #expect(journal.stored(7)?.checkpoint == .ended(.declined(reason: "late")))
    let resumed = World(putRequestResults: []).setup(journal: journal).resume().orders()
    #expect(resumed.map { $0.future.error?.reason } == ["late"])
  }

  @Test("two calls of resume and a call of take share one operation") func resumeTwice() {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal).take(7)
    let after = World(putRequestResults: [.none])
    let taker = after.setup(journal: journal)
    let futures = [taker.resume(), taker.resume()].map { $0.orders().first?.future } + [taker.take(7)]
    #expect(after.count(of: .put) == 1)
    after.pushClient.send(.declined("late"), for: 7)
    #expect(futures.allSatisfy { $0?.error?.reason == "late" })
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

  @Test("an order with an unknown outcome that is taken again keeps its key") func again() {
    let experiment = World(
      putRequestResults: [.none, .accepted], orderDetailsResults: [.details("details"), .details("details")])
    let taker = experiment.setup()
    taker.take(7)
    taker.cancel(7)
    #expect(taker.take(7, body: [1]).error?.kind == .keyMismatch)
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.requests.map(\.key?.low) == [1, 1, nil])
    // An accepted order gets its details, without a PUT.
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.count(of: .put) == 2)
  }
}
