internal import Foundation
public import Futures

/// The records of one driver's operations, with one record for each order.
///
/// It is a struct of closures, so that any storage can implement it. The closures are called on any thread, must return at once, and
/// must not call a taker. The writes of one order take effect in the order of the calls, and a read sees every write that was called
/// before it.
public struct Journal: Sendable {
  /// Stores a record in place of the record of the same order.
  ///
  /// The future succeeds when the record survives the end of the process, and a power failure if its checkpoint
  /// ``TakingCheckpoint/mustSurvivePowerFailure``. It fails with the kind ``JournalError/Kind/unknownOutcome`` if the record may be
  /// stored, with ``JournalError/Kind/fenced`` if another process has taken over the order, and with any other kind if it is not
  /// stored.
  public var write: @Sendable (TakingRecord) -> Future<Void, JournalError>

  /// Returns the record of an order, or `nil`.
  ///
  /// After a write that failed with ``JournalError/Kind/unknownOutcome``, the answer must be final, also after a power failure.
  public var record: @Sendable (OrderID) -> Future<TakingRecord?, JournalError>

  /// Returns the records whose ``TakingRecord/dueAt`` is not later than now, the oldest operation first.
  ///
  /// It returns at most `limit` records, and none of the orders `underWay` in this process. A journal that several processes share
  /// assigns the returned orders to this process.
  public var dueRecords: @Sendable (_ limit: Int, _ underWay: Set<OrderID>) -> Future<[TakingRecord], JournalError>

  /// Records that the outcome in a record was delivered.
  ///
  /// It does nothing if the journal now has another record of the order. The delivery need not survive a power failure.
  public var acknowledge: @Sendable (TakingRecord) -> Future<Void, JournalError>

  /// Notes that no operation of an order is under way in this process; a journal that several processes share then lets another one
  /// take the order over.
  ///
  /// It is called with a lock after each operation, with ``ResultAcknowledgement/explicit`` after ``acknowledge`` or when
  /// the taker is released.
  public var release: @Sendable (OrderID) -> Void

  /// The orders that the takers of this process work on; all journals of a driver must share them.
  public var claims: OrderClaims

  public init(
    write: @escaping @Sendable (TakingRecord) -> Future<Void, JournalError>,
    record: @escaping @Sendable (OrderID) -> Future<TakingRecord?, JournalError>,
    dueRecords: @escaping @Sendable (Int, Set<OrderID>) -> Future<[TakingRecord], JournalError>,
    acknowledge: @escaping @Sendable (TakingRecord) -> Future<Void, JournalError>,
    release: @escaping @Sendable (OrderID) -> Void = { _ in },
    claims: OrderClaims
  ) {
    self.write = write
    self.record = record
    self.dueRecords = dueRecords
    self.acknowledge = acknowledge
    self.release = release
    self.claims = claims
  }

  /// The time from the start of an operation after which its record may be removed, if a known outcome was delivered: 30 days.
  public static let standardRetention = Duration.seconds(30 * 86_400)

  /// Gives up an unknown outcome: records it as ``TakingOutcome/discarded(reason:)``, so that no worker asks for it again.
  ///
  /// ```swift
  /// guard try await journal.discard("7", because: "called the depot").get() else {
  ///   print("Cannot discard order 7: it has no unknown outcome.")
  /// }
  /// ```
  ///
  /// - Returns: A future of whether the journal had an unknown outcome of the order. It fails with the kind
  ///   ``JournalError/Kind/inUse`` if a taker of this process works on the order.
  public func discard(
    _ order: OrderID, because reason: String, at now: Moment = .current
  ) -> Future<Bool, JournalError> {
    guard let claim = claims.claim(order, by: nil) else { return Future(error: .claimed(order)) }
    return end(order, claim, at: now, isDelivered: true) {
      $0.state == .unknown ? .discarded(reason: reason) : nil
    }
  }

  /// Cancels an unfinished order in a storage that only this process uses.
  ///
  /// If a taker works on the order, `notify` lets it end the operation. If it does not, the record ends when the order is free.
  package func requestCancel(
    _ order: OrderID, key: IdempotencyKey? = nil, at now: Moment, notify: @escaping @Sendable () -> Void
  ) -> Future<Bool, JournalError> {
    guard let claim = claims.claim(order, by: nil) else {
      return record(order).map(immediateExecutionContext) { record in
        guard let record, record.state == .unfinished else { return false }
        notify()
        claims.whenFree(order) { _ = requestCancel(order, key: record.intent.key, at: now, notify: notify) }
        return true
      }
    }
    return end(order, claim, at: now) { record in
      // Another intent was not cancelled.
      guard record.state == .unfinished, record.intent.key == key ?? record.intent.key else { return nil }
      return record.isAccepted ? .accepted(hasDetails: false) : .unknown(.cancelled)
    }
  }

  /// Ends the record of an order, and then its claim.
  private func end(
    _ order: OrderID, _ claim: OrderClaims.Claim, at now: Moment, isDelivered: Bool = false,
    as outcome: @escaping @Sendable (TakingRecord) -> TakingOutcome?
  ) -> Future<Bool, JournalError> {
    record(order).flatMap(immediateExecutionContext) { record -> Future<Bool, JournalError> in
      guard var record, let outcome = outcome(record) else { return Future(value: false) }
      record.note(.ended(outcome), at: now)
      record.noteChange(at: now.sinceEpoch)
      record.isDelivered = isDelivered
      return write(record).map(immediateExecutionContext) { true }
    }.andThen(immediateExecutionContext) { _ in endClaim(claim, of: order) }
  }

  /// Ends a claim, and releases its order; does nothing if the order has another claim.
  ///
  /// It also releases an order without a claim, because a late acknowledgement or read can have assigned it to this process again.
  func endClaim(_ claim: OrderClaims.Claim?, of order: OrderID) {
    claims.end(claim, of: order) { release(order) }
  }

  /// Returns an empty journal in memory, whose futures are completed when they are returned.
  ///
  /// `now` is the time since 1970, by which records become due.
  public static func inMemory(now: @escaping @Sendable () -> Duration = { Moment.current.sinceEpoch }) -> Journal {
    JournalStorage.inMemory(now: now).journal("driver")
  }
}

/// The storage of the operations of many drivers, for example an SQLite file or a PostgreSQL database.
///
/// An ``OrderWorker`` finishes what it contains.
public struct JournalStorage: Sendable {
  /// Returns the journal of a driver.
  public var journal: @Sendable (DriverID) -> Journal

  /// Returns the drivers with due records that no process works on, sorted.
  public var dueDrivers: @Sendable () -> Future<[DriverID], JournalError>

  public var list: @Sendable (RecordQuery) -> Future<[ListedRecord], JournalError>

  /// Counts the records of each state, in the storage itself.
  public var summary: @Sendable () -> Future<JournalSummary, JournalError>

  /// Requests to cancel an order.
  ///
  /// The worker that works on the order cancels it, also in another process. A taker needs a program that passes
  /// ``StorageEvent/cancel(_:_:)`` to ``OrderTaker/cancel(_:)``. Any other unfinished order ends at once, when the taker releases it,
  /// or when a worker continues it.
  ///
  /// - Returns: A future of whether the storage has an unfinished operation of the order.
  public var requestCancel: @Sendable (OrderID, DriverID) -> Future<Bool, JournalError>

  /// Calls back on any thread, until the returned function is called.
  public var subscribe: @Sendable (_ receive: @escaping @Sendable (StorageEvent) -> Void) -> @Sendable () -> Void

  /// Ends the use of the storage; later calls fail.
  ///
  /// Orders of this process become due for others at once, so end or drain the operations first.
  public var close: @Sendable () -> Future<Void, JournalError>

  /// The name of this process in ``TakingAttempt/worker``.
  public var name: String

  public init(
    name: String,
    journal: @escaping @Sendable (DriverID) -> Journal,
    dueDrivers: @escaping @Sendable () -> Future<[DriverID], JournalError>,
    list: @escaping @Sendable (RecordQuery) -> Future<[ListedRecord], JournalError>,
    summary: @escaping @Sendable () -> Future<JournalSummary, JournalError>,
    requestCancel: @escaping @Sendable (OrderID, DriverID) -> Future<Bool, JournalError>,
    subscribe: @escaping @Sendable (_ receive: @escaping @Sendable (StorageEvent) -> Void) -> @Sendable () -> Void,
    close: @escaping @Sendable () -> Future<Void, JournalError>
  ) {
    self.name = name
    self.journal = journal
    self.dueDrivers = dueDrivers
    self.list = list
    self.summary = summary
    self.requestCancel = requestCancel
    self.subscribe = subscribe
    self.close = close
  }
}

public enum StorageEvent: Hashable, Sendable {
  /// Records may have become due.
  case mayBeDue
  case cancel(OrderID, DriverID)
  case leases(LeaseChange, count: Int)
}

public enum LeaseChange: String, Hashable, Sendable {
  case claimed
  case renewed
  /// Another process has taken over the order, because the lease had ended.
  case lost
}

/// A page of the records of a storage, sorted by driver and order.
public struct RecordQuery: Hashable, Sendable {
  /// Empty for all.
  public var states: Set<TakingState>
  /// `nil` for all.
  public var driver: DriverID?
  /// `nil` for all.
  public var order: OrderID?
  /// The last record of the previous page.
  public var after: ListedRecord.ID?
  public var limit: Int

  public init(
    states: Set<TakingState> = [], driver: DriverID? = nil, order: OrderID? = nil, after: ListedRecord.ID? = nil,
    limit: Int = 1_000
  ) {
    self.states = states
    self.driver = driver
    self.order = order
    self.after = after
    self.limit = limit
  }
}

public struct ListedRecord: Hashable, Sendable, Identifiable {
  public struct ID: Hashable, Sendable, Comparable {
    public var driver: DriverID
    public var order: OrderID

    public init(driver: DriverID, order: OrderID) {
      self.driver = driver
      self.order = order
    }

    public static func < (left: ID, right: ID) -> Bool { (left.driver, left.order) < (right.driver, right.order) }
  }

  public var driver: DriverID
  public var record: TakingRecord
  public var owner: String?

  public var id: ID { ID(driver: driver, order: record.intent.order) }

  public init(driver: DriverID, record: TakingRecord, owner: String? = nil) {
    self.driver = driver
    self.record = record
    self.owner = owner
  }
}

extension ListedRecord: CustomStringConvertible {
  /// One line for people, with times of the wall clock.
  ///
  /// ```text
  /// order 7 of ann: unknown, begun 2026-05-01T12:00:00Z, changed 2026-05-01T12:02:00Z, due 2026-05-01T12:03:00Z, last error: timed out
  /// ```
  public var description: String {
    func text(_ time: Duration) -> String { Date(timeIntervalSince1970: time / .seconds(1)).ISO8601Format() }
    var (state, last) = (record.state.rawValue, record.attempts.last)
    if case .ended(let outcome) = record.checkpoint, let failure = OrderTakingFailure(outcome) {
      state = failure.kind.rawValue
      if [.declined, .discarded].contains(failure.kind) { state += " (\(failure.reason))" }
    }
    var parts = ["order \(id.order) of \(driver): \(state)", "begun \(text(record.begunAt))"]
    if let last { parts.append("changed \(text(last.lastChangeAt))") }
    if let due = record.dueAt { parts.append(due == .zero ? "due now" : "due \(text(due))") }
    if let owner { parts.append("owner \(owner)") }
    if let error = last?.lastError { parts.append("last error: \(error)") }
    return parts.joined(separator: ", ")
  }
}

public struct JournalSummary: Hashable, Sendable {
  public var counts: [TakingState: Int] = [:]
  /// The number of records that are due and that no process works on.
  public var dueCount = 0
  /// How long the first of them has been due.
  public var lag = Duration.zero
  /// The number of unfinished orders of each process.
  public var owners: [String: Int] = [:]

  public init() {}
}

public struct JournalError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case storage
    case notWritable = "not writable"
    /// The write may be stored, or may be stored by a later recovery.
    case unknownOutcome = "unknown outcome"
    /// Another process has taken over the order, so this journal refuses the write, and nothing was stored.
    case fenced
    /// The journal is already open, the worker runs already, or another taker works on the order.
    case inUse = "in use"
    case damaged
    /// The file is not a journal, and was not changed.
    case foreign
    case otherServer = "other server"
    /// The file was removed, replaced or truncated while it was open, so all later calls fail.
    case moved
  }

  public var kind: Kind
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension JournalError: CustomStringConvertible {}

// MARK: In memory

extension JournalStorage {
  /// Returns an empty storage in memory; `now` is the time since 1970.
  public static func inMemory(
    now: @escaping @Sendable () -> Duration = { Moment.current.sinceEpoch }
  ) -> JournalStorage {
    let (state, done) = (Locked(StorageInMemory()), Future<Void, JournalError>(value: ()))
    let (claims, subscribers) = (OrderClaims(), Subscribers<StorageEvent>())
    @Sendable func use<Value>(_ body: (inout StorageInMemory) -> Value) -> Future<Value, JournalError> {
      state.withLock { $0.isClosed ? Future(error: StorageInMemory.closed) : Future(value: body(&$0)) }
    }
    @Sendable func change(_ body: (inout StorageInMemory) -> Void) -> Future<Void, JournalError> {
      let isClosed = state.withLock { state in
        if !state.isClosed { body(&state) }
        return state.isClosed
      }
      return isClosed ? Future(error: StorageInMemory.closed) : done
    }
    @Sendable func journal(_ driver: DriverID) -> Journal {
      Journal(
        write: { record in change { $0.write(record, of: driver, at: now()) } },
        record: { order in use { $0.drivers[driver]?.records[order]?.record } },
        dueRecords: { limit, underWay in
          use { state in
            let records = (state.drivers[driver]?.records ?? [:]).values.map(\.record)
            let due = records.filter { $0.isDue(at: now()) && !underWay.contains($0.intent.order) }
            return Array(due.sorted { $0.begunAt < $1.begunAt }.prefix(limit))
          }
        },
        acknowledge: { record in change { $0.acknowledge(record, of: driver) } },
        claims: claims.of(driver))
    }
    return JournalStorage(
      name: TakingAttempt.processName, journal: { journal($0) },
      dueDrivers: { use { Set($0.records.filter { $0.record.isDue(at: now()) }.map(\.driver)).sorted() } },
      list: { query in use { Array($0.records.filter(query.matches).sorted { $0.id < $1.id }.prefix(query.limit)) } },
      summary: { use { $0.summary(at: now()) } },
      requestCancel: { order, driver in
        journal(driver).requestCancel(order, at: .current(sinceEpoch: now())) {
          subscribers.send(.cancel(order, driver))
        }
      },
      subscribe: { subscribers.add($0) },
      close: {
        state.withLock { $0.isClosed = true }
        return done
      })
  }
}

private struct StorageInMemory {
  /// A record outside its dictionary, which is half empty.
  final class Stored {
    var record: TakingRecord

    init(_ record: TakingRecord) { self.record = record }
  }

  struct Driver {
    var records: [OrderID: Stored] = [:]
    /// The number of records at which the next clean-up is due; it grows, so that a write costs constant time on average.
    private var cleanUpCount = 1_024

    mutating func add(_ stored: Stored, keepingSince limit: Duration) {
      records[stored.record.intent.order] = stored
      guard records.count >= cleanUpCount else { return }
      records = records.filter { $0.value.record.needsResuming || $0.value.record.begunAt >= limit }
      cleanUpCount = max(1_024, records.count * 2)
    }
  }

  static let closed = JournalError(.storage, "Cannot use the journal in memory: it is closed. Create another one.")

  var drivers: [DriverID: Driver] = [:]
  var isClosed = false

  var records: [ListedRecord] {
    drivers.flatMap { name, driver in driver.records.values.map { ListedRecord(driver: name, record: $0.record) } }
  }

  mutating func write(_ record: TakingRecord, of driver: DriverID, at now: Duration) {
    if let stored = drivers[driver]?.records[record.intent.order] { return stored.record = record }
    drivers[driver, default: Driver()].add(Stored(record), keepingSince: now - Journal.standardRetention)
  }

  func acknowledge(_ record: TakingRecord, of driver: DriverID) {
    guard let stored = drivers[driver]?.records[record.intent.order] else { return }
    var expected = record
    expected.isDelivered = stored.record.isDelivered
    if stored.record == expected { stored.record.isDelivered = true }
  }

  func summary(at now: Duration) -> JournalSummary {
    var summary = JournalSummary()
    for record in records.map(\.record) {
      summary.counts[record.state, default: 0] += 1
      guard record.isDue(at: now), let dueAt = record.dueAt else { continue }
      summary.dueCount += 1
      summary.lag = max(summary.lag, now - max(record.begunAt, dueAt))
    }
    return summary
  }
}

extension RecordQuery {
  fileprivate func matches(_ listed: ListedRecord) -> Bool {
    (states.isEmpty || states.contains(listed.record.state)) && (driver ?? listed.driver) == listed.driver
      && (order ?? listed.id.order) == listed.id.order && (after.map { $0 < listed.id } ?? true)
  }
}
