internal import Foundation
internal import Futures
internal import OrderTaking

typealias TakingID = ListedRecord.ID

/// The orders that a worker owns, and their calls.
///
/// The calls of one order run one at a time, in their order. Writes, acknowledgements and releases that wait at the same time share a
/// statement and a commit. Only one of these statements and of the renewals runs at a time, so they cannot deadlock each other.
///
/// `@unchecked Sendable`: only `queue` uses the variables.
final class Leases: @unchecked Sendable {
  let name = "\(ProcessInfo.processInfo.hostName):\(getpid()):\(UUID().uuidString.prefix(8))"
  let configuration: PostgresConfiguration
  let claims = OrderClaims()
  private let retention: Duration?
  private let timers: Timers
  private let queue = DispatchQueue(label: "OrderTakingPostgres")
  /// Runs the code of callers, so that it does not delay renewals.
  private let callers = DispatchQueue(label: "OrderTakingPostgres.callers")
  private let pool: PostgresPool
  private var listener: NotificationListener?

  private var fences: [TakingID: Int64] = [:]
  /// The highest fence of an order that this worker no longer owns.
  private var lastFence: Int64 = 0
  /// The orders that another worker has taken over while an operation of this one may run.
  ///
  /// The next write is refused even after a second claim, because the operation does not know the other worker's changes.
  private var lost: Set<TakingID> = []
  /// The orders whose last statement got no answer and may still take effect, so that the next write raises the fence first.
  private var uncertain: Set<TakingID> = []
  /// The waiting calls of each order with a running call.
  private var calls: [TakingID: [@Sendable () -> Void]] = [:]
  /// Completed by a notification that an order was released.
  private var releases: [TakingID: Promise<Void, Never>] = [:]
  private var changes: ArraySlice<Change> = []
  private var lastChange: Future<Bool, PostgresError>?
  private var isSending = false
  private var isRenewalDue = false
  private let subscribers = Subscribers<StorageEvent>()
  private var isClosed = false
  private let running = DispatchGroup()

  init(_ configuration: PostgresConfiguration, retention: Duration?, timers: Timers) {
    var configuration = configuration
    configuration.lease = max(.milliseconds(100), configuration.lease)
    configuration.claimInterval = max(.milliseconds(10), configuration.claimInterval)
    (self.configuration, self.retention, self.timers) = (configuration, retention, timers)
    pool = PostgresPool(configuration, completingOn: queue)
  }

  deinit {
    listener?.close()
    pool.close()
  }

  func start() -> Future<Void, JournalError> {
    Schema.prepare(pool).map(immediateExecutionContext) {
      self.listener = NotificationListener(self.configuration) { [weak self] payload in
        guard let self else { return }
        self.queue.async { self.receive(payload) }
      }
      self.removeOld()
      self.renewLater()
    }
  }

  // MARK: Calls of one order

  /// Returns the record of an order, and claims the order.
  func record(of id: TakingID) -> Future<TakingRecord?, JournalError> {
    inTurn(id) {
      self.claim(id, until: self.timers.now().sinceBoot + self.configuration.claimTimeLimit)
    }
  }

  func write(_ record: TakingRecord, of driver: DriverID) -> Future<Void, JournalError> {
    change(.write, ListedRecord(driver: driver, record: record).id, record, "write the record")
  }

  func acknowledge(_ record: TakingRecord, of driver: DriverID) -> Future<Void, JournalError> {
    change(.acknowledge, ListedRecord(driver: driver, record: record).id, record, "record the delivery")
  }

  /// If a release fails, the lease ends without this worker.
  func release(_ id: TakingID) {
    _ = inTurn(id) {
      self.lost.remove(id)
      self.uncertain.remove(id)
      guard let fence = self.removeFence(of: id) else { return Future(value: ()) }
      return self.add(.release, id, fence).mapError(immediateExecutionContext) {
        $0.journalError("release \(id.order)")
      }
      .asVoid()
    }
  }

  private func inTurn<Value: Sendable>(
    _ id: TakingID, _ call: @escaping @Sendable () -> Future<Value, JournalError>
  ) -> Future<Value, JournalError> {
    enter { (promise: Promise<Value, JournalError>) in
      let start: @Sendable () -> Void = {
        call().onComplete(immediateExecutionContext) { result in
          self.startNext(id)
          promise.complete(result)
        }
      }
      guard self.calls[id] == nil else {
        self.calls[id]?.append(start)
        return
      }
      self.calls[id] = []
      start()
    }
  }

  private func startNext(_ id: TakingID) {
    guard calls[id]?.isEmpty == false else {
      calls[id] = nil
      return
    }
    let next = calls[id]?.removeFirst()
    next?()
  }

  /// Calls a function on the queue, and completes the future on the callers' queue when its promise is completed.
  private func enter<Value: Sendable>(
    _ body: @escaping @Sendable (Promise<Value, JournalError>) -> Void
  ) -> Future<Value, JournalError> {
    let (inner, outer) = (Promise<Value, JournalError>(), Promise<Value, JournalError>())
    queue.async {
      guard !self.isClosed else {
        self.callers.async { outer.failure(.closed) }
        return
      }
      self.running.enter()
      inner.future.onComplete(immediateExecutionContext) { result in
        self.running.leave()
        self.callers.async { outer.complete(result) }
      }
      body(inner)
    }
    return outer.future
  }

  // MARK: Claims

  private func claim(_ id: TakingID, until deadline: Duration) -> Future<TakingRecord?, JournalError> {
    let isOwned = fences[id] != nil
    // Before the statement, so that no notification is missed.
    let released = Promise<Void, Never>()
    releases[id] = released
    return claimOnce(id).flatMap(immediateExecutionContext) { row -> Future<TakingRecord?, JournalError> in
      if let row {
        self.releases[id] = nil
        return Future(result: Result { () throws(JournalError) in try self.claimed(id, row) })
      }
      if isOwned { return self.claim(id, until: deadline) }
      guard !self.isClosed, self.timers.now().sinceBoot < deadline else {
        self.releases[id] = nil
        return Future(error: self.isClosed ? .closed : .inUse(id))
      }
      let stop = self.timers.schedule(self.configuration.claimInterval) { [queue = self.queue] in
        queue.async { released.trySuccess(()) }
      }
      return released.future.promoteError().flatMap(immediateExecutionContext) {
        stop()
        return self.claim(id, until: deadline)
      }
    }
  }

  /// Returns `nil` if another worker owns the order.
  private func claimOnce(_ id: TakingID) -> Future<Row?, JournalError> {
    let isOwned = fences[id] != nil
    return pool.run(isOwned ? .claimOwned : .claim, [name, id.driver.text, id.order.text, lease])
      .onFailure(immediateExecutionContext) { _ in
        self.releases[id] = nil
        // The fence may be higher now.
        if isOwned { self.uncertain.insert(id) }
      }.mapError(immediateExecutionContext) { $0.journalError("claim order \(id.order)") }
      .map(immediateExecutionContext) { rows in
        if let row = rows.first, let fence = row[0].flatMap({ Int64($0) }) {
          self.fences[id] = fence
          self.uncertain.remove(id)
          if !isOwned { self.emit(.leases(.claimed, count: 1)) }
          if row[1] == "t" { self.emit(.cancel(id.order, id.driver)) }
        } else if isOwned {
          self.lose([id])
        }
        return rows.first
      }
  }

  private func claimed(_ id: TakingID, _ row: Row) throws(JournalError) -> TakingRecord? {
    guard let text = row[3] else { return nil }
    return try TakingRecord(stored: text, of: id.order, isDelivered: row[2] == "t")
  }

  private func removeFence(of id: TakingID) -> Int64? {
    let fence = fences.removeValue(forKey: id)
    lastFence = max(lastFence, fence ?? 0)
    return fence
  }

  private func lose(_ ids: [TakingID]) {
    for id in ids { _ = removeFence(of: id) }
    lost.formUnion(ids)
    if !ids.isEmpty { emit(.leases(.lost, count: ids.count)) }
  }

  /// Claims due orders of a driver without an owner, except for those under way in this process.
  ///
  /// A record that cannot be read stays owned until its lease ends.
  func claimDue(of driver: DriverID, atMost limit: Int, except underWay: Set<OrderID>) -> Future<
    [TakingRecord], JournalError
  > {
    read("claim due orders", .claimDue) {
      let owned = underWay.union(self.fences.keys.filter { $0.driver == driver }.map(\.order))
      return [self.name, driver.text, self.lease, "\(min(limit, self.configuration.claimCount))", encodeJSON(owned)]
    } then: { rows in
      var records: [TakingRecord] = []
      var failure: JournalError?
      for row in rows {
        do throws(JournalError) {
          guard let fence = row[0].flatMap({ Int64($0) }) else { continue }
          let id = TakingID(driver: driver, order: try decodeName(row[4]))
          // A call of this order may have claimed it later, and got its answer before.
          guard fence > self.fences[id, default: 0], let record = try self.claimed(id, row) else { continue }
          // Otherwise a call may also have released it, or lost it. Its next call claims it again.
          if fence > self.lastFence { self.fences[id] = fence }
          records.append(record)
          if row[1] == "t" { self.emit(.cancel(id.order, id.driver)) }
        } catch { failure = error }
      }
      if !records.isEmpty { self.emit(.leases(.claimed, count: records.count)) }
      if records.isEmpty, let failure { return .failure(failure) }
      return .success(records.sorted { $0.begunAt < $1.begunAt })
    }
  }

  // MARK: Changes

  private struct Change: Sendable {
    enum Kind: String, Encodable { case write, acknowledge, release }

    let kind: Kind
    let id: TakingID
    let fence: Int64
    let record: TakingRecord?
    let promise = Promise<Bool, PostgresError>()
  }

  /// The columns of a change in the statement.
  private struct ChangeRow: Encodable {
    let driver: DriverID
    let order: OrderID
    let fence: Int64
    let kind: Change.Kind
    var state: TakingState?
    var begun: Int64?
    var delay: Int64?
    var delivered: Bool?
    var record: String?

    init(_ change: Change, at now: Duration) {
      (driver, order, fence, kind) = (change.id.driver, change.id.order, change.fence, change.kind)
      guard var record = change.record else { return }
      if kind == .acknowledge { record.isDelivered = true }
      (state, begun, delivered) = (record.state, record.begunAt.microseconds, record.isDelivered)
      // The time from now, because the clocks of workers can differ.
      delay = record.dueAt.map { max(0, ($0 - now).microseconds) }
      self.record = record.stored
    }
  }

  private func change(
    _ kind: Change.Kind, _ id: TakingID, _ record: TakingRecord, _ action: String
  ) -> Future<Void, JournalError> {
    inTurn(id) {
      let refuse = { @Sendable in
        // The operation ends with this refusal, so the next claim is of another operation.
        if kind == .write { self.lost.remove(id) }
        return JournalError.fenced(id)
      }
      // An acknowledgement compares the record, so it needs no protection from an earlier owner.
      if kind == .write, self.lost.contains(id) { return Future(error: refuse()) }
      return self.fence(of: id).flatMap(immediateExecutionContext) { fence -> Future<Void, JournalError> in
        guard let fence else { return Future(error: refuse()) }
        return self.add(kind, id, fence, record).onFailure(immediateExecutionContext) { error in
          if error.effect == .unknown { self.uncertain.insert(id) }
        }.mapError(immediateExecutionContext) { $0.journalError("\(action) of order \(id.order)", isWrite: true) }
          .flatMapResult(immediateExecutionContext) { isOwned in
            if isOwned { return .success(()) }
            self.lose([id])
            return .failure(refuse())
          }
      }
    }
  }

  /// Returns the fence with which an order may be changed, after a claim if necessary; `nil` if another worker owns it.
  private func fence(of id: TakingID) -> Future<Int64?, JournalError> {
    if let fence = fences[id], !uncertain.contains(id) { return Future(value: fence) }
    return claimOnce(id).map(immediateExecutionContext) { _ in self.fences[id] }
  }

  private func add(
    _ kind: Change.Kind, _ id: TakingID, _ fence: Int64, _ record: TakingRecord? = nil
  ) -> Future<Bool, PostgresError> {
    let change = Change(kind: kind, id: id, fence: fence, record: record)
    changes.append(change)
    lastChange = change.promise.future
    send()
    return change.promise.future
  }

  private func send() {
    guard !isSending else { return }
    if isRenewalDue { return renew() }
    let batch = changes.prefix(256)
    guard !batch.isEmpty else { return }
    changes.removeFirst(batch.count)
    isSending = true
    let now = timers.now().sinceEpoch
    pool.run(.change, [name, lease, encodeJSON(batch.map { ChangeRow($0, at: now) })])
      .map(immediateExecutionContext) { rows in Set(rows.compactMap(TakingID.init)) }
      .onComplete(immediateExecutionContext) { result in
        self.isSending = false
        for change in batch { change.promise.complete(result.map { $0.contains(change.id) }) }
        self.send()
      }
  }

  private func renew() {
    isRenewalDue = false
    let owned = fences
    guard !owned.isEmpty else { return send() }
    isSending = true
    let ids = owned.keys.map { ["driver": $0.driver, "order": $0.order] }
    pool.run(.renew, [name, lease, encodeJSON(ids)]).onComplete(immediateExecutionContext) { result in
      self.isSending = false
      if case .success(let rows) = result {
        let renewed = Set(rows.compactMap(TakingID.init))
        if !renewed.isEmpty { self.emit(.leases(.renewed, count: renewed.count)) }
        self.lose(owned.filter { !renewed.contains($0.key) && self.fences[$0.key] == $0.value }.map(\.key))
        for row in rows where row[2] == "t" {
          if let id = TakingID(row), self.fences[id] != nil { self.emit(.cancel(id.order, id.driver)) }
        }
      }
      self.send()
    }
  }

  // MARK: Calls without an order

  /// Runs a statement after all earlier changes, and converts its rows on the queue.
  func read<Value: Sendable>(
    _ action: String, _ statement: Statement, _ parameters: @escaping @Sendable () -> [String?] = { [] },
    then convert: @escaping @Sendable ([Row]) -> Result<Value, JournalError>
  ) -> Future<Value, JournalError> {
    enter { (promise: Promise<Value, JournalError>) in
      let run: @Sendable () -> Void = {
        let rows = self.pool.run(statement, parameters()).mapError(immediateExecutionContext) {
          $0.journalError(action)
        }
        promise.complete(with: rows.flatMapResult(immediateExecutionContext, f: convert))
      }
      guard let lastChange = self.lastChange else { return run() }
      lastChange.onComplete(immediateExecutionContext) { _ in run() }
    }
  }

  func subscribe(_ receive: @escaping @Sendable (StorageEvent) -> Void) -> @Sendable () -> Void {
    callers.async { receive(.mayBeDue) }
    return subscribers.add(receive)
  }

  /// Ends the worker when its calls are completed.
  func close() -> Future<Void, JournalError> {
    let promise = Promise<Void, JournalError>()
    queue.async {
      self.isClosed = true
      for released in self.releases.values { released.trySuccess(()) }
      self.running.notify(queue: self.queue) {
        self.listener?.close()
        let releases = self.fences.map { id, fence in self.add(.release, id, fence) }
        self.fences = [:]
        releases.sequence().onComplete(immediateExecutionContext) { result in
          self.pool.close()
          let result = result.map { _ in }.mapError { $0.journalError("release the orders of this worker") }
          self.callers.async { promise.complete(result) }
        }
      }
    }
    return promise.future
  }

  /// Ends the worker without a release, as the end of the process would.
  func crash() {
    queue.sync { isClosed = true }
    listener?.close()
    pool.close()
  }

  // MARK: Times and events

  private var lease: String { "\(configuration.lease.microseconds)" }

  private func renewLater() {
    _ = timers.schedule(configuration.lease / 3) { [weak self] in
      guard let self else { return }
      self.queue.async {
        guard !self.isClosed else { return }
        self.isRenewalDue = true
        self.send()
        self.removeOld()
        self.renewLater()
      }
    }
  }

  private func removeOld() {
    let age = retention.map { "\($0.microseconds)" }
    pool.run(.remove, [age, "1000"]).onSuccess(immediateExecutionContext) { [weak self] rows in
      if rows.count == 1_000 { self?.removeOld() }
    }
  }

  private func receive(_ payload: String?) {
    guard let payload else {
      // Notifications can have been lost. A renewal finds requests to cancel.
      for released in releases.values { released.trySuccess(()) }
      isRenewalDue = true
      send()
      return emit(.mayBeDue)
    }
    let parts = payload.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard parts.count == 2, let slash = parts[1].firstIndex(of: UInt8(ascii: "/")),
      let driver = try? DriverID(String(parts[1][..<slash]) ?? ""),
      let order = try? OrderID(String(parts[1][parts[1].index(after: slash)...]) ?? "")
    else { return }
    let id = TakingID(driver: driver, order: order)
    if parts[0].elementsEqual("cancel".utf8) {
      if fences[id] != nil { emit(.cancel(order, driver)) }
    } else {
      releases[id]?.trySuccess(())
      if parts[0].elementsEqual("due".utf8) { emit(.mayBeDue) }
    }
  }

  private func emit(_ event: StorageEvent) { callers.async { [subscribers] in subscribers.send(event) } }
}

extension TakingID {
  fileprivate init?(_ row: Row) {
    guard let driver = try? decodeName(row[0]), let order = try? decodeName(row[1]) else { return nil }
    self.init(driver: driver, order: order)
  }
}

/// Converts a column to a name.
func decodeName(_ column: String?) throws(JournalError) -> Name {
  do { return try Name(column ?? "") } catch {
    throw JournalError(.damaged, "Cannot read a row of the table takings: \(error) Remove the row.")
  }
}

func encodeJSON(_ value: some Encodable) -> String {
  // Encoding of texts and numbers does not fail.
  (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
}

func decodeJSON<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
  try? JSONDecoder().decode(type, from: Data(text.utf8))
}

extension JournalError {
  fileprivate static let closed = JournalError(.storage, "Cannot use the journal: it is closed. Open it again.")

  fileprivate static func inUse(_ id: TakingID) -> JournalError {
    JournalError(
      .inUse,
      "Cannot claim order \(id.order): another worker has owned it for the whole time limit. Try again later.")
  }

  fileprivate static func fenced(_ id: TakingID) -> JournalError {
    JournalError(
      .fenced,
      "Cannot change the record of order \(id.order): another worker has taken it over. Wait for its result.")
  }
}
