import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("A taker with a journal") struct JournalTests {
  typealias World = Experiment<Int, String>

  /// A journal that keeps what was written, and refuses when told to.
  struct Kept {
    let changes = Locked<[TakingChange]>([])
    let refusals = Locked<Set<String>>([])
    let memory = Journal<Int>.inMemory()

    var journal: Journal<Int> {
      var journal = memory
      journal.write = { [changes, refusals, memory] record throws(JournalError) in
        if refusals.withLock({ $0.contains("\(record.change)".prefix(5).description) }) {
          throw JournalError(.storage, "No room for order \(record.intent.order). Make room.")
        }
        changes.withLock { $0.append(record.change) }
        try memory.write(record)
      }
      return journal
    }
  }

  @Test("in memory notes a delivery in the record that was delivered, and in no other") func noteInMemory() throws {
    func record(_ change: TakingChange, _ key: UInt64) -> TakingRecord<Int> {
      TakingRecord(
        intent: TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: key)), begunAt: .zero, change: change)
    }
    let told = record(.ended(.expired), 1)
    let journal = Journal<Int>.inMemory()
    try journal.noteDelivery(told)
    #expect(try journal.records().isEmpty)
    for later in [record(.begun, 1), record(.ended(.expired), 2)] {
      try journal.write(later)
      try journal.noteDelivery(told)
      #expect(try journal.records() == [later])
    }
    try journal.write(told)
    try journal.noteDelivery(told)
    #expect(try journal.record(7)?.isDelivered == true)
  }

  @Test("writes before it sends, and each step once") func order() throws {
    let kept = Kept()
    let experiment = World(
      putRequestResults: [], getRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(journal: kept.journal)
    experiment.httpClient.takeClosure = { intent in
      #expect(kept.changes.withLock { $0 } == [.begun])
      #expect((try? kept.memory.record(7))??.intent == intent)
      return Future(value: .processing)
    }
    taker.take(7, body: [1, 2, 3])
    experiment.clock.advance(by: .seconds(1))
    #expect(
      kept.changes.withLock { $0 } == [.begun, .acknowledged, .accepted, .ended(.accepted(hasDetails: true))])
  }

  @Test("sends nothing when the journal cannot be written") func refused() {
    let kept = Kept()
    kept.refusals.withLock { $0 = ["begun"] }
    let experiment = World(putRequestResults: [.accepted])
    let future = experiment.setup(journal: kept.journal).take(7)
    #expect(future.error?.kind == .journal)
    #expect(experiment.requests.isEmpty)
  }

  @Test("sends nothing when the journal cannot be read") func unreadable() {
    var journal = Journal<Int>.inMemory()
    journal.record = { _ throws(JournalError) in throw JournalError(.damaged, "It is damaged. Restore it.") }
    let experiment = World(putRequestResults: [.accepted])
    let taker = experiment.setup(journal: journal)
    #expect(taker.take(7).error == OrderTakingFailure(.journal, reason: "It is damaged. Restore it."))
    #expect(experiment.requests.isEmpty && taker.ordersUnderWay.isEmpty)
  }

  @Test("goes on when a later step cannot be written") func refusedLater() {
    let kept = Kept()
    kept.refusals.withLock { $0 = ["accep", "ended"] }
    let experiment = World(putRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let future = experiment.setup(journal: kept.journal).take(7)
    #expect(future.value?.details == "details")
  }

  @Test("resumes what another process left, under the same key, and leaves alone what has ended") func resume() throws {
    let journal = Journal<Int>.inMemory()
    let before = World(putRequestResults: [.none, .processing, .accepted, .declined("late")])
    let first = before.setup(journal: journal)
    for order in 1...4 {
      first.take(order)
      before.clock.advance(by: .nanoseconds(1))
    }
    // The first process is gone, with all that it was waiting for.
    let after = World(
      putRequestResults: [.accepted], getRequestResults: [.accepted],
      orderDetailsResults: (1...3).map { .details("details \($0)") })
    let second = after.setup(journal: journal)
    let resumed = try second.resume()
    #expect(resumed.map(\.order) == [1, 2, 3])
    #expect(resumed.allSatisfy { $0.future.isSuccess })
    #expect(after.requests.map(\.kind) == [.put, .details, .get, .details, .details])
    #expect(after.requests.first?.key?.low == 1)
    #expect(try second.resume().isEmpty)
  }

  @Test("does not put an order that was cancelled while the journal was read to resume it") func staleResume() throws {
    var journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal).take(7)
    let records = journal.records
    journal.records = { [journal] () throws(JournalError) in
      let all = try records()
      for var record in all {
        record.change = .ended(.cancelled)
        record.isDelivered = true
        try journal.write(record)
      }
      return all
    }
    let after = World(putRequestResults: [.accepted])
    let resumed = try after.setup(journal: journal).resume()
    #expect(resumed.first?.future.error?.kind == .cancelled)
    #expect(after.requests.isEmpty)
  }

  @Test("resumes what is older than the budget by asking") func tooOld() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let after = World(putRequestResults: [], getRequestResults: [.error(.status(404))])
    after.clock.advance(by: .seconds(121))
    let resumed = try after.setup(policy: .standard, journal: journal).resume()
    #expect(after.requests.map(\.kind) == [.get])
    #expect(resumed.first?.future.error?.status == 404)
    #expect(resumed.first?.future.error?.kind == .unknown)
  }

  @Test("waits only as long as one operation is told to, and judges the age of its wish by its own rules all the same")
  func otherBudget() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    var brief = TakingPolicy.standard
    brief.budget = .seconds(5)
    // By rules of five seconds it would be too old to be put.
    let soon = World(putRequestResults: [.none])
    soon.clock.advance(by: .seconds(60))
    let resumed = try soon.setup(policy: .standard, journal: journal).resume(under: brief).first?.future
    soon.clock.advance(by: .seconds(4))
    #expect(soon.requests.map(\.kind) == [.put] && resumed?.result == nil)
    soon.clock.advance(by: .seconds(1))
    #expect(resumed?.error?.kind == .unknown && soon.clock.armedCount == 0)
    // And a PUT of two minutes might be taken for one that cannot come any more.
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let later = World(putRequestResults: [], getRequestResults: [.error(nothing), .none])
    later.clock.advance(by: .seconds(800))
    let taker = later.setup(policy: .standard, journal: journal)
    #expect(taker.settle(7, under: brief).error?.kind == .unknown)
    let silent = taker.settle(7, under: brief)
    later.clock.advance(by: .seconds(5))
    #expect(silent.error?.kind == .unknown && later.clock.armedCount == 0 && later.count(of: .put) == 0)
  }

  @Test("is as young as the last PUT of an operation that was told to take longer than the taker's rules have it")
  func longerBudget() throws {
    let journal = Journal<Int>.inMemory()
    var patient = TakingPolicy.standard
    (patient.budget, patient.attempts, patient.retries) = (.seconds(3_600), nil, .constant(.seconds(50)))
    let world = World(putRequestResults: Array(repeating: .error(.status(503)), count: 30))
    world.setup(policy: .standard, journal: journal).take(7, under: patient)
    for _ in 0..<30 { world.clock.advance(by: .seconds(50)) }
    // The last PUT is at most 240 seconds younger than its record says, however long it has gone on.
    let begun = try #require(try journal.record(7)?.begunAt)
    let last = try #require(world.requests.last { $0.kind == .put }?.at)
    #expect(last - begun <= .seconds(240) && last >= .seconds(1_400), "\(begun) \(last)")
  }

  @Test("settles what was lost on its way long ago, and takes it again under another key") func longPast() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(
      putRequestResults: [.declined("late")], getRequestResults: [.error(nothing), .error(nothing), .error(nothing)])
    after.clock.advance(by: .seconds(800))
    let taker = after.setup(policy: .standard, journal: journal)
    #expect(try taker.resume().first?.future.error?.kind == .unknown)
    after.clock.advance(by: .seconds(41))
    #expect(taker.settle(7).error?.kind == .expired)
    #expect(try journal.record(7)?.isSettled == true)
    #expect(taker.settle(7).error?.kind == .expired && after.count(of: .get) == 2)
    #expect(taker.take(7).error?.kind == .declined)
    #expect(after.requests.last?.kind == .put && after.requests.last?.key != nil)
  }

  @Test("takes what is unknown again as a wish of that time: its PUT may be on its way") func renewed() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(policy: .standard, journal: journal).take(7)
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    let after = World(putRequestResults: [.none], getRequestResults: [.error(nothing)])
    after.clock.advance(by: .seconds(3_600))
    let taker = after.setup(policy: .standard, journal: journal)
    taker.take(7)
    taker.cancel(7)
    #expect(taker.settle(7).error?.kind == .unknown)
  }

  @Test("tells after a restart how operations ended that died before they could tell") func untold() throws {
    let journal = Journal<Int>.inMemory()
    let before = World(
      putRequestResults: [.accepted, .declined("late"), .none], orderDetailsResults: [.details("details")])
    // The process dies before anything is delivered.
    let first = before.setup(policy: .standard, journal: journal, deliveringOn: { _ in })
    let undelivered = (1...3).map { first.take($0) }
    first.cancel(3)
    #expect(undelivered.allSatisfy { !$0.isCompleted })
    #expect(try journal.records().allSatisfy { !$0.isUnfinished && $0.needsResuming })

    let after = World(putRequestResults: [], orderDetailsResults: [.details("details")])
    let second = after.setup(policy: .standard, journal: journal)
    let resumed = try second.resume()
    #expect(Set(resumed.map(\.order)) == [1, 2, 3])
    for order in resumed {
      switch order.order {
      case 1: #expect(order.future.value?.details == "details")
      case 2: #expect(order.future.error == OrderTakingFailure(.declined, reason: "late"))
      default: #expect(order.future.error?.kind == .unknown)
      }
    }
    // Told as it was recorded: nothing but the details is asked for.
    #expect(after.requests.map(\.kind) == [.details])
    // And told once.
    #expect(try second.resume().isEmpty)
    #expect(try journal.records().allSatisfy(\.isDelivered))
  }

  @Test("notes what was delivered when it has been, and not in the record of a later wish") func delivered() throws {
    let journal = Journal<Int>.inMemory()
    let delivered = Locked<[@Sendable () -> Void]>([])
    let experiment = World(putRequestResults: [.declined("late"), .none])
    let taker = experiment.setup(journal: journal, deliveringOn: { work in delivered.withLock { $0.append(work) } })
    taker.take(7)
    #expect(try journal.record(7)?.isDelivered == false)
    // Taken again before the end of the first one was delivered.
    taker.take(7)
    for work in delivered.withLock({ $0 }) { work() }
    #expect(try journal.record(7)?.intent.key.low == 2)
    #expect(try journal.record(7)?.change == .begun)
    #expect(try journal.record(7)?.isDelivered == false)
  }

  @Test("goes on when it cannot note what was delivered") func notNoted() {
    var journal = Journal<Int>.inMemory()
    journal.noteDelivery = { _ throws(JournalError) in throw JournalError(.storage, "No room. Make room.") }
    let experiment = World(putRequestResults: [.declined("late")])
    #expect(experiment.setup(journal: journal).take(7).error?.reason == "late")
  }

  @Test("after a restart a clock that moved forward causes GET, and a clock that moved back causes PUT")
  func clocks() throws {
    for (begunAt, kind) in [(Duration.seconds(-7_200), TakingRequest.Kind.get), (.seconds(7_200), .put)] {
      let journal = Journal<Int>.inMemory()
      try journal.write(
        TakingRecord(intent: TakingIntent(order: 7, key: IdempotencyKey(high: 1, low: 2)), begunAt: begunAt))
      let experiment = World(putRequestResults: [.none], getRequestResults: [.none])
      try experiment.setup(policy: .standard, journal: journal).resume()
      #expect(experiment.requests.map(\.kind) == [kind])
    }
  }

  @Test("uses a new key after the server has forgotten the old one, whichever clock is wrong") func expiredKey() throws
  {
    let expired = HTTPError.status(422, problem: .idempotencyKeyExpired)
    let experiment = World(
      putRequestResults: [.error(expired), .accepted, .none, .error(expired)], getRequestResults: [.accepted],
      orderDetailsResults: [.details("details"), .details("details")])
    let taker = experiment.setup(policy: .standard)
    #expect(taker.take(7).error?.kind == .keyExpired)
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.requests.map(\.key?.low) == [1, 2, nil])
    // With a PUT before it that may have arrived, the order may be ours: GET tells.
    let open = taker.take(8)
    experiment.clock.advance(by: .seconds(31))
    #expect(open.value?.details == "details")
    #expect(experiment.requests.suffix(4).map(\.kind) == [.put, .put, .get, .details])
  }

  @Test("performs all that one event asks for before it looks at the next, also when that comes in the middle")
  func inTurn() throws {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let memory = Journal<Int>.inMemory()
    var journal = memory
    journal.write = { record throws(JournalError) in
      try memory.write(record)
      if record.change == .begun { experiment.pushClient.send(.accepted, for: 7) }
    }
    #expect(experiment.setup(journal: journal).take(7).value?.details == "details")
    #expect(experiment.requests.map(\.kind) == [.put, .details])
  }

  @Test("tells after a restart how a settled operation ended, though its first end was told") func untoldAgain() throws
  {
    let journal = Journal<Int>.inMemory()
    let before = World(putRequestResults: [.none], getRequestResults: [.declined("late")])
    let first = before.setup(journal: journal)
    first.take(7)
    first.cancel(7)
    #expect(try journal.record(7)?.isDelivered == true)
    // The next process finds out, and dies before it can tell.
    before.setup(journal: journal, deliveringOn: { _ in }).settle(7)
    #expect(try journal.record(7)?.change == .ended(.declined(reason: "late")))
    let resumed = try World(putRequestResults: []).setup(journal: journal).resume()
    #expect(resumed.map { $0.future.error?.reason } == ["late"])
  }

  @Test("resumes once, however often it is asked") func resumeTwice() throws {
    let journal = Journal<Int>.inMemory()
    World(putRequestResults: [.none]).setup(journal: journal).take(7)
    let after = World(putRequestResults: [.none])
    let taker = after.setup(journal: journal)
    let futures = try [taker.resume(), taker.resume()].map { $0.first?.future } + [taker.take(7)]
    #expect(after.count(of: .put) == 1)
    after.pushClient.send(.declined("late"), for: 7)
    #expect(futures.allSatisfy { $0?.error?.reason == "late" })
  }

  @Test("settles an unknown outcome without a PUT") func settle() {
    let experiment = World(
      putRequestResults: [.none], getRequestResults: [.processing, .accepted],
      orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    taker.take(7)
    taker.cancel(7)
    let settled = taker.settle(7)
    experiment.clock.advance(by: .seconds(1))
    #expect(settled.value?.details == "details")
    #expect(experiment.count(of: .put) == 1)
    #expect(taker.settle(8).error?.kind == .journal)
  }

  @Test("puts an unknown order again under the same key when it is taken again") func again() {
    let experiment = World(
      putRequestResults: [.none, .accepted], orderDetailsResults: [.details("details"), .details("details")])
    let taker = experiment.setup()
    taker.take(7)
    taker.cancel(7)
    #expect(taker.take(7, body: [1]).error?.kind == .keyMismatch)
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.requests.map(\.key?.low) == [1, 1, nil])
    // And what is ours already gets its details, without a PUT.
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.count(of: .put) == 2)
  }
}
