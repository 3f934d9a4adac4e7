import Futures
import OrderTaking
import Testing

// MARK: Records

@Sendable func returnsEachRecord(_ open: @escaping StorageRule.Opening) async throws {
  let journal = try await open().journal("driver")
  for record in everyRecord() {
    try await journal.write(record).get()
    #expect(try await journal.record(record.intent.order).get() == record)
  }
  #expect(try await journal.record("absent").get() == nil)
}

@Sendable func replaces(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let last = record("1", key: 2, .ended(.expired))
  for next in [record("1"), record("1", .accepted), record("2"), last] { try await journal.write(next).get() }
  #expect(try await journal.record("1").get() == last)
  #expect(try await storage.list(RecordQuery()).get().map(\.record) == [last, record("2")])
}

@Sendable func readsEarlierWrites(_ open: @escaping StorageRule.Opening) async throws {
  let journal = try await open().journal("driver")
  let before = journal.record("1")
  let first = journal.write(record("1"))
  let between = journal.record("1")
  let second = journal.write(record("1", .accepted))
  let after = journal.record("1")
  #expect(try await before.get() == nil)
  #expect(try await between.get() == record("1"))
  #expect(try await after.get() == record("1", .accepted))
  try await first.get()
  try await second.get()
}

@Sendable func comparesBytes(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let names: [Name] = ["e\u{301}", "\u{E9}", "E", "e", "e ", "%", "_", "'", "\"", "\u{1F69A}"]
  for driver in names {
    for (index, order) in names.enumerated() {
      try await storage.journal(driver).write(record(order, key: UInt64(index), body: Array(driver.text.utf8))).get()
    }
  }
  for driver in names {
    for (index, order) in names.enumerated() {
      let found = try await storage.journal(driver).record(order).get()
      #expect(found == record(order, key: UInt64(index), body: Array(driver.text.utf8)), "\(driver) \(order)")
    }
    #expect(try await storage.list(RecordQuery(driver: driver)).get().map(\.record.intent.order) == names.sorted())
  }
  #expect(try await storage.list(RecordQuery(order: "\u{E9}")).get().map(\.driver) == names.sorted())
}

// MARK: Due records

@Sendable func listsDueRecords(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let due = [
    record("z", age: 9, .ended(.unknown(.expired))), record("y", age: 8), record("x", age: 7, .acknowledged),
    record("w", age: 6, .accepted), record("v", age: 5, .ended(.declined(reason: "late"))),
  ]
  for next in due.reversed() + everyRecord(isDelivered: true).filter({ $0.hasKnownOutcome }) {
    try await store(next, "driver", storage)
  }
  try await store(record("other"), "other driver", storage)
  #expect(try await dueRecords(of: "driver", storage) == due)
  #expect(try await dueRecords(of: "driver", storage) == due)
  #expect(try await dueRecords(of: "nobody", storage) == [])
}

@Sendable func backsOff(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  // Not the constant, which can be older than a back-off.
  let start = Moment.current.sinceEpoch
  func unknown(_ order: OrderID, attempts: Int, lastChangeAgo seconds: Int) -> TakingRecord {
    let attempt = TakingAttempt(
      worker: "w", startedAt: start - .seconds(seconds), lastChangeAt: start - .seconds(seconds))
    return record(
      order, .ended(.unknown(.expired)), isDelivered: true, attempts: Array(repeating: attempt, count: attempts))
  }
  let due = [
    unknown("1", attempts: 1, lastChangeAgo: 61), unknown("2", attempts: 2, lastChangeAgo: 121),
    unknown("3", attempts: 8, lastChangeAgo: 3_601),
  ]
  let later = [
    unknown("4", attempts: 1, lastChangeAgo: 0), unknown("5", attempts: 2, lastChangeAgo: 61),
    unknown("6", attempts: 8, lastChangeAgo: 1_800),
  ]
  for next in due + later { try await store(next, "driver", storage) }
  #expect(Set(try await dueRecords(of: "driver", storage)) == Set(due))
  #expect(try await storage.summary().get().dueCount == 3)
}

@Sendable func listsDueDrivers(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  #expect(try await storage.dueDrivers().get() == [])
  for driver in ["c", "e\u{301}", "\u{E9}", "b"] as [DriverID] {
    for order in ["1", "2"] as [OrderID] { try await store(record(order), driver, storage) }
  }
  try await store(record("1", .ended(.expired), isDelivered: true), "a", storage)
  #expect(try await storage.dueDrivers().get() == ["b", "c", "e\u{301}", "\u{E9}"])
}

@Sendable func releases(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  for next in [record("1", age: 2), record("2", age: 1)] { try await store(next, "driver", storage) }
  #expect(try await journal.dueRecords(1_000, []).get().count == 2)
  try await journal.write(record("1", age: 2, .acknowledged)).get()
  for order in ["1", "2"] as [OrderID] { journal.release(order) }
  #expect(try await storage.dueDrivers().get() == ["driver"])
  #expect(try await dueRecords(of: "driver", storage) == [record("1", age: 2, .acknowledged), record("2", age: 1)])
}

@Sendable func limits(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  for age in 1...4 { try await store(record(Name(age), age: age), "driver", storage) }
  let journal = storage.journal("driver")
  #expect(try await journal.dueRecords(0, []).get() == [])
  #expect(try await journal.dueRecords(2, []).get().map(\.intent.order) == ["4", "3"])
  // These orders are under way now.
  #expect(try await journal.dueRecords(1, ["4", "3"]).get().map(\.intent.order) == ["2"])
  #expect(try await journal.dueRecords(9, ["4", "3", "2"]).get().map(\.intent.order) == ["1"])
}

// MARK: Delivery

@Sendable func acknowledges(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let end = record("1", .ended(.declined(reason: "late")))
  try await journal.write(end).get()
  try await storage.journal("other").write(end).get()
  for other in [record("1", key: 9, end.checkpoint), record("1", .ended(.expired)), record("1"), record("2")] {
    try await journal.acknowledge(other).get()
  }
  #expect(try await journal.record("1").get() == end)
  #expect(try await journal.record("2").get() == nil)
  try await journal.acknowledge(end).get()
  try await journal.acknowledge(end).get()
  var delivered = end
  delivered.isDelivered = true
  #expect(try await journal.record("1").get() == delivered)
  #expect(try await storage.journal("other").record("1").get() == end)
  journal.release("1")
  #expect(try await dueRecords(of: "driver", storage) == [])

  // A record that was read is the record that was written.
  for record in everyRecord() where record.state != .unfinished {
    try await journal.write(record).get()
    let read = try #require(try await journal.record(record.intent.order).get())
    try await journal.acknowledge(read).get()
    #expect(try await journal.record(record.intent.order).get()?.isDelivered == true, "\(record.checkpoint)")
  }
}

@Sendable func retains(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let year = 365 * 86_400
  let kept = [
    record("a", age: year), record("b", age: year, .accepted), record("c", age: year, .ended(.expired)),
    record("d", age: year, .ended(.unknown(.expired)), isDelivered: true),
  ]
  for next in kept + [record("e", age: year, .ended(.expired), isDelivered: true)] {
    try await store(next, "driver", storage)
  }
  let young = (0..<1_200).map { record(Name($0), .ended(.expired), isDelivered: true) }
  for written in young.map({ journal.write($0) }) { try await written.get() }
  for record in kept + young { #expect(try await journal.record(record.intent.order).get() == record) }
}

@Sendable func discards(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let now = Moment(sinceEpoch: start, sinceBoot: .zero)
  try await store(record("1", .ended(.unknown(.expired))), "driver", storage)
  try await store(record("2", .ended(.expired)), "driver", storage)
  #expect(try await journal.discard("1", because: "called the customer", at: now).get())
  for order in ["1", "2", "3"] as [OrderID] {
    #expect(try await !journal.discard(order, because: "again", at: now).get())
  }
  #expect(try await journal.record("1").get()?.checkpoint == .ended(.discarded(reason: "called the customer")))
  #expect(try await dueRecords(of: "driver", storage).map(\.intent.order) == ["2"])
  #expect(try await storage.list(RecordQuery(states: [.discarded])).get().map(\.record.intent.order) == ["1"])
}

@Sendable func cancels(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let (events, send) = AsyncStream<StorageEvent>.makeStream()
  let unsubscribe = storage.subscribe { send.yield($0) }
  let client = SilentClient()
  let taker = client.taker(storage.journal("driver"))
  let taken = taker.take("1")
  _ = await client.puts.first { _ in true }
  try await store(record("2", .ended(.expired)), "driver", storage)
  for order in ["2", "3"] as [OrderID] { #expect(try await !storage.requestCancel(order, "driver").get()) }
  #expect(try await !storage.requestCancel("1", "other driver").get())
  #expect(try await storage.requestCancel("1", "driver").get())
  #expect(await events.first { if case .cancel = $0 { true } else { false } } == .cancel("1", "driver"))
  unsubscribe()
  taker.cancel("1")
  _ = await #expect(throws: OrderTakingFailure.self) { try await taken.get() }
}

@Sendable func cancelsLater(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  try await store(record("1", .acknowledged), "driver", storage)
  #expect(try await storage.requestCancel("1", "driver").get())
  let (deliveries, delivery) = AsyncStream<OrderWorker<Int>.Delivery>.makeStream()
  let client = SilentClient().client
  let worker = OrderWorker<Int>(
    storage: storage, clients: { _, _ in (client, .none) }, deliver: { delivery.yield($0) })
  let run = Task { try await worker.run() }
  #expect(await deliveries.first { _ in true }?.result.error?.outcome == .unknown(.cancelled))
  run.cancel()
  try await run.value
}

// MARK: Claims

/// A client of a server that never responds.
private struct SilentClient {
  let puts: AsyncStream<IdempotencyKey>
  let client: OrderHTTPClient<Int>

  /// - Parameter answer: The response to each PUT.
  init(_ answer: Future<TakingAnswer, HTTPError> = Future()) {
    let (puts, put) = AsyncStream<IdempotencyKey>.makeStream()
    self.puts = puts
    client = OrderHTTPClient(
      take: {
        put.yield($0.key)
        return answer
      }, takingOperationStatus: { _ in Future() }, acceptedOrderDetails: { _ in Future() })
  }

  func taker(_ journal: Journal, acknowledging: ResultAcknowledgement = .automatic) -> OrderTaker<Int> {
    OrderTaker(
      httpClient: client, journal: journal, timers: Timers(schedule: { _, _ in {} }, now: { .current }),
      deliveringOn: immediateExecutionContext, acknowledging: acknowledging)
  }
}

@Sendable func claims(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let client = SilentClient()
  // Other values of the journal of a driver share its claims.
  let takers = (0..<2).map { _ in client.taker(storage.journal("driver")) }
  let first = takers[0].take("1")
  let key = await client.puts.first { _ in true }
  let before = try await storage.list(RecordQuery()).get()
  for refused in [takers[1].take("1"), takers[1].reconcile("1")] {
    let failure = await #expect(throws: OrderTakingFailure.self) { try await refused.get() }
    #expect(failure?.kind == .unknown && failure?.journalError?.kind == .inUse)
  }
  #expect(try await takers[1].resume().get().isEmpty)
  #expect(!takers[1].cancel("1"))
  let discard = storage.journal("driver").discard("1", because: "", at: .current)
  #expect(await #expect(throws: JournalError.self) { try await discard.get() }?.kind == .inUse)
  #expect(try await storage.list(RecordQuery()).get() == before)
  // Another driver has another operation.
  let other = storage.journal("other driver")
  #expect(try await !other.discard("1", because: "", at: .current).get())

  takers[0].cancel("1")
  _ = await #expect(throws: OrderTakingFailure.self) { try await first.get() }
  let second = takers[1].take("1")
  #expect(await client.puts.first { _ in true } == key)
  takers[1].cancel("1")
  _ = await #expect(throws: OrderTakingFailure.self) { try await second.get() }
  try await storage.close().get()
}

@Sendable func deliversOnce(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  try await store(record("1"), "driver", storage)
  var late = storage.journal("driver")
  let due = try await late.dueRecords(1_000, []).get()
  late.dueRecords = { _, _ in Future(value: due) }
  let taken = SilentClient(Future(value: .declined("late"))).taker(storage.journal("driver")).take("1")
  _ = await #expect(throws: OrderTakingFailure.self) { try await taken.get() }
  while try await storage.list(RecordQuery()).get().first?.record.isDelivered != true {}
  let resumed = try await SilentClient().taker(late).resume().get()
  let failure = await #expect(throws: OrderTakingFailure.self) { try await resumed.first?.future.get() }
  #expect(failure?.journalError?.kind == .inUse)
}

@Sendable func followsResult(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let client = SilentClient()
  let taker = client.taker(journal)
  // In the callback, the delivery has not ended.
  let discarded = Promise<Bool, JournalError>()
  taker.take("1").onComplete(immediateExecutionContext) { _ in
    discarded.complete(with: journal.discard("1", because: "called the customer"))
  }
  _ = await client.puts.first { _ in true }
  taker.cancel("1")
  #expect(try await discarded.future.get())
  #expect(try await journal.record("1").get()?.state == .discarded)
}

@Sendable func releasesWithTaker(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  var first: OrderTaker<Int>? = SilentClient(Future(value: .declined("late"))).taker(journal, acknowledging: .explicit)
  _ = await #expect(throws: OrderTakingFailure.self) { try await first?.take("1").get() }
  let second = SilentClient().taker(journal)
  #expect(try await second.resume().get().isEmpty)
  first = nil
  // A thread that has delivered the outcome can still retain the taker.
  var resumed: [OrderID] = []
  while resumed.isEmpty { resumed = try await second.resume().get().map(\.order) }
  #expect(resumed == ["1"])
}

// MARK: Lists

@Sendable func filters(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let records = everyRecord()
  for driver in ["a", "b"] as [DriverID] {
    for record in records { try await store(record, driver, storage) }
  }
  for state in TakingState.allCases {
    let expected = records.filter { $0.state == state }.map(\.intent.order).sorted()
    let found = try await storage.list(RecordQuery(states: [state], driver: "b")).get()
    #expect(found.map(\.record.intent.order) == expected && found.allSatisfy { $0.driver == "b" }, "\(state)")
  }
  let open = try await storage.list(RecordQuery(states: [.unfinished, .unknown])).get()
  #expect(open.count == 2 * records.filter { [.unfinished, .unknown].contains($0.state) }.count)
  let first = try #require(records.first)
  let one = try await storage.list(RecordQuery(order: first.intent.order)).get()
  #expect(one.map(\.driver) == ["a", "b"] && one.allSatisfy { $0.record == first })
  #expect(try await storage.list(RecordQuery(states: [.failed], driver: "a", order: first.intent.order)).get() == [])
}

@Sendable func pages(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  var expected: [ListedRecord.ID] = []
  for driver in ["e\u{301}", "\u{E9}", "b", "a"] as [DriverID] {
    for order in 0..<25 {
      let isOdd = order % 2 == 1
      try await store(record(Name(order), isOdd ? .ended(.expired) : .begun), driver, storage)
      if isOdd { expected.append(ListedRecord.ID(driver: driver, order: Name(order))) }
    }
  }
  expected.sort { ($0.driver, $0.order) < ($1.driver, $1.order) }
  for limit in [1, 7, 48, 49] {
    var query = RecordQuery(states: [.failed, .accepted], limit: limit)
    var found: [ListedRecord.ID] = []
    while true {
      let page = try await storage.list(query).get().map(\.id)
      #expect(page.count <= limit)
      guard let last = page.last else { break }
      found += page
      query.after = last
    }
    #expect(found == expected, "pages of \(limit)")
  }
}

@Sendable func summarizes(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  #expect(try await storage.summary().get() == JournalSummary())
  let records = everyRecord()
  for driver in ["a", "b"] as [DriverID] {
    for record in records { try await store(record, driver, storage) }
  }
  try await store(record("old", age: 7_200), "a", storage)
  let summary = try await storage.summary().get()
  for state in TakingState.allCases {
    let expected = 2 * records.count { $0.state == state } + (state == .unfinished ? 1 : 0)
    #expect(summary.counts[state] == expected, "\(state)")
  }
  #expect(summary.dueCount == 2 * records.count { $0.needsResuming } + 1)
  #expect((.seconds(7_200) ..< .seconds(14_400)).contains(summary.lag))
}

// MARK: Closing

@Sendable func failsWhenClosed(_ open: @escaping StorageRule.Opening) async throws {
  let storage = try await open()
  let journal = storage.journal("driver")
  let written = journal.write(record("1"))
  try await storage.close().get()
  try await written.get()
  let end = record("1", .ended(.expired))
  await expectFailure(of: journal.write(end))
  await expectFailure(of: journal.acknowledge(end))
  await expectFailure(of: journal.record("1"))
  await expectFailure(of: journal.dueRecords(1_000, []))
  await expectFailure(of: storage.dueDrivers())
  await expectFailure(of: storage.list(RecordQuery()))
  await expectFailure(of: storage.summary())
}

@Sendable func reopens(_ open: @escaping StorageRule.Opening) async throws {
  let first = try await open()
  let records = everyRecord(isDelivered: false) + [record("delivered", .ended(.expired), isDelivered: true)]
  for record in records { try await store(record, "driver", first) }
  try await first.close().get()
  let second = try await open()
  let found = try await second.list(RecordQuery(driver: "driver")).get().map(\.record)
  #expect(found == records.sorted { $0.intent.order < $1.intent.order })
  #expect(Set(try await dueRecords(of: "driver", second)) == Set(records.filter(\.needsResuming)))
  try await second.close().get()
}
