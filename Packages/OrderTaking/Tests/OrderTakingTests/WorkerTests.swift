import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("A worker", .timeLimit(.minutes(5))) struct WorkerTests {
  let full = JournalError(.storage, "Cannot write: the disk is full. Free some space.")

  @Test("a worker finishes the orders of all drivers, and acknowledges each result after its delivery") func finishes()
    async throws
  {
    let scene = Scene()
    scene.leave(["7", "8"], of: "ann")
    scene.leave(["7"], of: "bob")
    scene.http.takeClosure = { Future(value: $0.order == 8 ? .declined("late") : .accepted) }
    let deliveries = try await scene.run(until: 3)
    #expect(Set(deliveries) == ["ann 7 details", "ann 8 declined", "bob 7 details"])
    #expect(scene.records.allSatisfy { $0.isDelivered && $0.hasKnownOutcome })
    #expect(scene.records.allSatisfy { $0.attempts.map(\.worker) == ["gone", scene.storage.name] })
    #expect(scene.changes.all.first == .started && scene.changes.all.last == .stopped(released: 0))
  }

  @Test("a result that is not delivered stays unacknowledged, and is delivered again after a pause") func again()
    async throws
  {
    let scene = Scene(failures: 2)
    scene.leave(["7"], of: "ann")
    let run = scene.start()
    for count in 1...2 {
      #expect(await scene.changes.first(count + 1).last == .notDelivered("7", "ann", error: "CancellationError()"))
      #expect(scene.records.map(\.isDelivered) == [false])
      // The poll and the pause.
      try await scene.clock.sleeps(count: 2)
      scene.clock.advance(by: .seconds(3))
    }
    #expect(await scene.deliveries.first(1) == ["ann 7 details"])
    try await scene.stop(run)
    #expect(scene.records.map(\.isDelivered) == [true])
  }

  @Test("an unknown outcome is delivered once, and reconciled with GET until the server has a result") func unknown()
    async throws
  {
    let scene = Scene(.unlimited)
    scene.leave(["7"], of: "ann", .ended(.unknown(.expired)))
    let answers = Locked<[Result<TakingAnswer, HTTPError>]>([.failure(.status(404)), .success(.declined("late"))])
    let times = Log<Duration>()
    scene.http.takingOperationStatusClosure = { [clock = scene.clock] _ in
      times.append(clock.now.offset)
      return Future(result: answers.withLock { $0.removeFirst() })
    }
    let run = scene.start()
    #expect(await scene.deliveries.first(1) == ["ann 7 unknown"])
    while scene.deliveries.count < 2 { try await scene.clock.advanceToNextSleep() }
    try await scene.stop(run)
    #expect(scene.deliveries.all == ["ann 7 unknown", "ann 7 declined"])
    #expect(times.count == 2)
    #expect(times.all[0] >= .seconds(60) && times.all[1] - times.all[0] >= .seconds(120))
    #expect(scene.puts.count == 0)
  }

  @Test("a worker claims at most as many orders as it has room for") func pressure()
    async throws
  {
    let scene = Scene(WorkerPolicy { ($0.batch, $0.maximumUnderWay) = (3, 4) })
    scene.leave((1...10).map { Name($0) }, of: "ann")
    scene.leave([1], of: "bob")
    let answer = Promise<TakingAnswer, HTTPError>()
    scene.http.takeClosure = { [puts = scene.puts] intent in
      puts.append(intent)
      return answer.future
    }
    let run = scene.start()
    #expect(Set(await scene.puts.first(4).map(\.key.high)) == [1, 2])
    #expect(scene.released.all.isEmpty && scene.puts.count == 4)
    #expect(await scene.worker.metrics().contains("order_taking_under_way 4\n"))
    answer.success(.accepted)
    #expect(await Set(scene.deliveries.first(11)).count == 11)
    try await scene.stop(run)
  }

  @Test("a worker cancels an order when the storage requests it") func cancel() async throws {
    let scene = Scene()
    scene.leave(["7", "8"], of: "ann")
    scene.http.takeClosure = { [puts = scene.puts] intent in
      puts.append(intent)
      return Future()
    }
    let run = scene.start()
    await scene.puts.first(2)
    #expect(scene.storage.requestCancel("7", "ann").value == true)
    #expect(scene.storage.requestCancel("7", "bob").value == false)
    #expect(await scene.deliveries.first(1) == ["ann 7 unknown"])
    run.cancel()
    await scene.changes.first(2)
    scene.clock.advance(by: .seconds(20))
    try await run.value
    #expect(scene.deliveries.all == ["ann 7 unknown"])
  }

  @Test("a stopping worker waits for the operations under way, and delivers their results") func stop() async throws {
    let scene = Scene()
    scene.leave(["7"], of: "ann")
    let answer = Promise<TakingAnswer, HTTPError>()
    scene.http.takeClosure = { [puts = scene.puts] intent in
      puts.append(intent)
      return answer.future
    }
    let run = scene.start()
    await scene.puts.first(1)
    run.cancel()
    #expect(await scene.changes.first(2).last == .stopping(underWay: 1))
    scene.leave(["8"], of: "ann")
    answer.success(.accepted)
    try await run.value
    #expect(scene.deliveries.all == ["ann 7 details"] && scene.puts.count == 1)
    #expect(scene.clock.armedCount == 0)
  }

  @Test("after its drain time, a worker releases its orders, and the next worker continues with the same keys")
  func release() async throws {
    let scene = Scene(WorkerPolicy { $0.drainTime = .seconds(5) })
    scene.leave(["7"], of: "ann")
    scene.http.takeClosure = { [puts = scene.puts] intent in
      puts.append(intent)
      return Future()
    }
    let first = scene.start()
    await scene.puts.first(1)
    first.cancel()
    await scene.changes.first(2)
    #expect(scene.released.all.isEmpty)
    scene.clock.advance(by: .seconds(5))
    try await first.value
    #expect(scene.changes.all.last == .stopped(released: 1))
    #expect(scene.released.all.last == "7" && scene.records.map(\.state) == [.unfinished])
    #expect(scene.deliveries.all.isEmpty && scene.clock.armedCount == 0)

    let second = scene.start()
    #expect(Set(await scene.puts.first(2).map(\.key)).count == 1)
    scene.push.send(.declined("late"), for: "7")
    #expect(await scene.deliveries.first(1) == ["ann 7 declined"])
    try await scene.stop(second)
    #expect(scene.records.first?.attempts.count == 3)
    // The task of the last order closes the driver's channel as it ends, which the end of the worker does not wait for.
    try await poll(while: scene.push.subscriberCount > 0)
  }

  @Test("a worker that runs cannot run again at the same time") func twice() async throws {
    let scene = Scene()
    let run = scene.start()
    await scene.changes.first(1)
    let error = await #expect(throws: JournalError.self) { try await scene.worker.run() }
    #expect(error?.kind == .inUse)
    try await scene.stop(run)
  }

  @Test("orders of a claim that succeeds after the stop are released") func lateClaim() async throws {
    let scene = Scene(WorkerPolicy { $0.drainTime = .seconds(5) })
    scene.leave(["7"], of: "ann")
    let answer = Promise<[DriverID], JournalError>()
    scene.dueDrivers.withLock { $0 = answer.future }
    let run = scene.start()
    await scene.changes.first(1)
    run.cancel()
    await scene.changes.first(2)
    scene.clock.advance(by: .seconds(5))
    try await run.value
    answer.success(["ann"])
    #expect(await scene.released.first(1) == ["7"] && scene.puts.count == 0)
  }

  @Test("an error of the storage is reported once, and the storage is read again after the back-off") func storage()
    async throws
  {
    let scene = Scene()
    scene.leave(["7"], of: "ann")
    scene.readErrors.withLock { $0 = [full, full, full] }
    let run = scene.start()
    #expect(await scene.changes.first(2).last == .storageFailed(full))
    for second in 1...3 {
      try await scene.clock.nextSleep()
      #expect(scene.clock.now.offset == .seconds(3 * (second - 1)))
      #expect(await scene.worker.metrics().contains("order_taking_storage_up 0\n"))
      scene.clock.advance(by: .seconds(3))
    }
    #expect(await scene.deliveries.first(1) == ["ann 7 details"])
    try await scene.stop(run)
    #expect(
      Array(scene.changes.all.prefix(3)) == [.started, .storageFailed(full), .storageRecovered])
  }

  @Test("a worker ends with an error that no retry corrects") func permanent() async {
    let scene = Scene()
    let foreign = JournalError(.foreign, "It is not a journal. Use another file.")
    scene.readErrors.withLock { $0 = [foreign] }
    await #expect(throws: foreign) { try await scene.worker.run() }
    #expect(scene.clock.armedCount == 0)
  }

  @Test("an outcome that the journal does not have is not delivered, and its order is continued later")
  func unrecorded()
    async throws
  {
    let scene = Scene(.unlimited)
    scene.leave(["7"], of: "ann")
    scene.writeErrors.withLock { $0 = [full, full] }
    // The writes of the end and of the acceptance fail.
    scene.http.takeClosure = { _ in Future(value: .declined("late")) }
    let run = scene.start()
    while scene.deliveries.count < 1 { try await scene.clock.advanceToNextSleep() }
    #expect(scene.deliveries.all == ["ann 7 declined"] && scene.released.all.first == "7")
    try await scene.stop(run)
    #expect(scene.records.map(\.checkpoint) == [.ended(.declined(reason: "late"))])
  }

  @Test("an event of the storage wakes a worker before its poll") func wake() async throws {
    let scene = Scene()
    let run = scene.start()
    try await scene.clock.nextSleep()
    scene.leave(["7"], of: "ann")
    scene.wake()
    #expect(await scene.deliveries.first(1) == ["ann 7 details"])
    try await scene.stop(run)
    #expect(scene.clock.now.offset == .zero)
  }

  @Test("an event of the storage during a claim leads to another claim") func wakeDuringClaim() async throws {
    let scene = Scene()
    let answer = Promise<[DriverID], JournalError>()
    scene.dueDrivers.withLock { $0 = answer.future }
    let run = scene.start()
    await scene.changes.first(1)
    scene.leave(["7"], of: "ann")
    scene.wake()
    scene.dueDrivers.withLock { $0 = nil }
    answer.success([])
    #expect(await scene.deliveries.first(1) == ["ann 7 details"])
    try await scene.stop(run)
    #expect(scene.clock.now.offset == .zero)
  }

  @Test("the metrics of a worker have the figures of its storage, its operations and its channels") func metrics()
    async throws
  {
    let scene = Scene()
    scene.leave(["7"], of: "ann")
    scene.leave(["9"], of: "bob", .ended(.cancelled))
    scene.http.takeClosure = { [puts = scene.puts] intent in
      puts.append(intent)
      return Future()
    }
    scene.clock.advance(by: .seconds(5))
    let run = scene.start()
    await scene.puts.first(1)
    await scene.deliveries.first(1)
    scene.lose()
    let text = await scene.worker.metrics()
    for line in [
      "order_taking_storage_up 1", "order_taking_lag_seconds 5.0", "order_taking_orders{state=\"unfinished\"} 1",
      "order_taking_orders{state=\"unknown\"} 0", "order_taking_orders{state=\"failed\"} 1",
      "order_taking_push_connections_total{change=\"lost\"} 1", "order_taking_leases_total{change=\"lost\"} 2",
      "order_taking_delivery_errors_total 0",
    ] {
      #expect(text.split(separator: "\n").contains(Substring(line)), "\(line) in \(text)")
    }
    scene.push.send(.accepted, for: "7")
    await scene.deliveries.first(2)
    try await scene.stop(run)
  }
}

extension WorkerPolicy {
  /// For tests that advance the clock while operations are under way.
  fileprivate static let unlimited = WorkerPolicy { ($0.taking.requestTimeout, $0.taking.deadline) = (nil, nil) }

  fileprivate init(_ change: (inout WorkerPolicy) -> Void) {
    self.init()
    change(&self)
  }
}

/// A worker on a storage in memory, with a manual clock.
private final class Scene: Sendable {
  let clock = ManualClock()
  let http = OrderHTTPClientMock<String>()
  let push = PushClientMock()
  let puts = Log<TakingIntent>()
  let deliveries = Log<String>()
  let changes = Log<WorkerChange>()
  let released = Log<OrderID>()
  let readErrors = Locked<[JournalError]>([])
  /// The answer to a claim, or `nil` for that of the storage.
  let dueDrivers = Locked<Future<[DriverID], JournalError>?>(nil)
  let writeErrors = Locked<[JournalError]>([])
  let storage: JournalStorage
  let worker: OrderWorker<String>
  private let subscriber = Locked<(@Sendable (StorageEvent) -> Void)?>(nil)
  private let observers = Locked<[DriverID: Observer]>([:])

  /// - Parameter failures: The number of deliveries that fail.
  init(_ policy: WorkerPolicy = WorkerPolicy(), failures: Int = 0) {
    let clock = clock
    var storage = JournalStorage.inMemory(now: { clock.now.offset })
    let memory = storage
    storage.dueDrivers = { [readErrors, dueDrivers] in
      if let answer = dueDrivers.withLock({ $0 }) { return answer }
      if let error = readErrors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return Future(error: error) }
      return memory.dueDrivers()
    }
    storage.subscribe = { [subscriber] receive in
      subscriber.withLock { $0 = receive }
      return memory.subscribe(receive)
    }
    storage.journal = { [released, writeErrors] driver in
      var journal = memory.journal(driver)
      let stored = journal
      journal.release = { released.append($0) }
      journal.write = { record in
        if record.checkpoint != .begun, let error = writeErrors.withLock({ $0.popLast() }) {
          return Future(error: error)
        }
        return stored.write(record)
      }
      return journal
    }
    self.storage = storage
    var policy = policy
    policy.retries = .constant(.seconds(3))
    let rest = Locked(failures)
    worker = OrderWorker(
      storage: storage, policy: policy, timers: clock.timers,
      observer: Observer { [changes] event in if case .worker(let change) = event { changes.append(change) } },
      clients: { [http, push, observers] driver, observer in
        observers.withLock { $0[driver] = observer }
        return (http.client, push.client)
      },
      deliver: { [deliveries] delivery in
        let fails = rest.withLock { rest in
          rest -= 1
          return rest >= 0
        }
        if fails { throw CancellationError() }
        let result = delivery.result.value?.details ?? delivery.result.error?.kind.rawValue ?? "accepted"
        deliveries.append("\(delivery.driver) \(delivery.order) \(result)")
      })
    http.takeClosure = { [puts] intent in
      puts.append(intent)
      return Future(value: .accepted)
    }
    http.acceptedOrderDetailsClosure = { _ in Future(value: "details") }
  }

  var records: [TakingRecord] { storage.list(RecordQuery()).value?.map(\.record) ?? [] }

  /// Stores the records that an ended process has left.
  func leave(_ orders: [OrderID], of driver: DriverID, _ checkpoint: TakingCheckpoint = .begun) {
    let attempt = TakingAttempt(worker: "gone", startedAt: .zero, lastChangeAt: .zero)
    for (index, order) in orders.enumerated() {
      let key = IdempotencyKey(high: driver == "ann" ? 1 : 2, low: UInt64(index))
      let intent = TakingIntent(order: order, key: key)
      _ = storage.journal(driver).write(
        TakingRecord(intent: intent, begunAt: .zero, checkpoint: checkpoint, attempts: [attempt]))
    }
  }

  func wake() { subscriber.withLock { $0 }?(.mayBeDue) }

  /// Reports lost leases, and that the push channel of ann is lost.
  func lose() {
    subscriber.withLock { $0 }?(.leases(.lost, count: 2))
    observers.withLock { $0["ann"] }?.receive(.connection(ObservedConnection(side: .client, .lost(reason: "any"))))
  }

  func start() -> Task<Void, any Error> { Task { try await worker.run() } }

  func stop(_ run: Task<Void, any Error>) async throws {
    run.cancel()
    try await run.value
  }

  func run(until count: Int) async throws -> [String] {
    let run = start()
    let deliveries = await deliveries.first(count)
    try await stop(run)
    return deliveries
  }
}
