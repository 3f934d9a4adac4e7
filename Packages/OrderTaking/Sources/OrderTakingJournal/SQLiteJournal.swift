public import Futures
internal import Foundation
public import OrderTaking
internal import Synchronization

/// A journal in an SQLite file, which keeps its records when the process or the machine stops.
///
/// ```swift
/// let journal = try SQLiteJournal<String>(at: "takings.sqlite", server: "https://dispatch.example")
/// if let recovery = journal.recovery { print(recovery) }
/// let taker = OrderTaker(httpClient: http, journal: journal.journal)
/// taker.resume()
/// ```
///
/// **Safety.** The future of a write completes after the commit. A commit waits for the disk (`synchronous=FULL`, with `fullfsync` on
/// Apple's platforms) if one of its records has a checkpoint that must survive a power failure. Each record has a checksum. If the
/// file or its write-ahead log is damaged, the file is moved aside, and all readable records are copied into a new one.
///
/// **Cost.** No call waits for the disk. A single thread commits all waiting writes together, so that concurrent operations
/// share the waits. Opening the journal reads and checks only its open records and those with an unknown outcome, so its time
/// depends on their number. Damage of any other record is found when it is read. The next opening then checks all records,
/// and salvages the valid ones.
///
/// **Retention.** Delivered records are removed by a `JournalRetention`, 256 at a time: after opening, and after each 256 writes.
///
/// **One process.** The file is locked until ``close()``, the release of the journal, or the end of the process. So two processes
/// never work on the same order. The lock is a file beside the journal, whose name ends in `.lock`. Symbolic links to the journal
/// have the same lock. A file with a second hard link is refused. Do not rename the file while it is open. Other processes can
/// read the records at any time; see ``records(at:decode:)``.
///
/// **Content.** For each order, the journal contains the idempotency key, the body of its PUT and its last step. It contains no token
/// and no details. Only the owner can read the files of a new journal. Bodies are not encrypted, so do not put secrets into them.
public final class SQLiteJournal<OrderID: Hashable & Sendable>: Sendable {
  /// The report if opening the journal recovered a damaged file, or an earlier recovery lost records and was not acknowledged.
  public let recovery: JournalRecovery?

  let writer: JournalWriter
  private let retention: JournalRetention
  private let now: @Sendable () -> Duration
  private let encode: @Sendable (OrderID) -> String
  private let decode: @Sendable (String) -> OrderID?
  private let isLossAcknowledged = Atomic(false)
  private let writeCount = Atomic(0)

  /// Opens a journal, and creates the file if it is missing.
  ///
  /// The folder must exist. An open journal has up to four more files in it, whose names end in `-wal`, `-shm`, `.lock`
  /// and `.check`. A recovery keeps the damaged files, whose names contain `.damaged-`.
  ///
  /// `server` is the name of the server that has the orders, usually its address, without secrets. The first opening
  /// records it: another server can have an order of the same name, and its responses would be wrong. `encode` returns
  /// a unique text for an order, and `decode` the order of such a text, or `nil`.
  ///
  /// - Throws: `JournalError` of kind `inUse` if the journal is already open, `otherServer` if it belongs to another
  ///   server, `damaged` if the name of its server is missing or corrupt (see ``rebind(at:toServer:)``), `tooNew` if a
  ///   later version wrote it, `foreign` if the file is not a journal (it is not changed), `notWritable` if the process
  ///   may not write the file or its folder, and `storage` if the file cannot be read or written for another reason, or
  ///   has a second hard link. Any other damage is repaired without an error; see ``recovery``.
  public convenience init(
    at path: String, server: String, retention: JournalRetention = .standard, now: (@Sendable () -> Duration)? = nil,
    encode: @escaping @Sendable (OrderID) -> String, decode: @escaping @Sendable (String) -> OrderID?
  ) throws(JournalError) {
    try self.init(at: path, server: server, retention, now, hook: nil, encode: encode, decode: decode)
  }

  package init(
    at path: String, server: String, _ retention: JournalRetention = .standard,
    _ now: (@Sendable () -> Duration)? = nil,
    hook: Database.Hook?, encode: @escaping @Sendable (OrderID) -> String,
    decode: @escaping @Sendable (String) -> OrderID?
  ) throws(JournalError) {
    let (storage, recovery) = try JournalStorage.open(at: path, hook: hook)
    try storage.bind(to: server)
    self.recovery = recovery
    self.retention = retention
    self.now = now ?? { .seconds(Date().timeIntervalSince1970) }
    self.encode = encode
    self.decode = decode
    writer = JournalWriter(storage)
    removeDelivered()
  }

  public var journal: Journal<OrderID> {
    Journal(
      write: { self.write($0) },
      record: { order in
        let name = self.encode(order)
        return self.writer.enqueue(.read) { [decode = self.decode] storage in
          try storage.row(of: name).map { try storage.record($0, decode) }
        }
      },
      openRecords: {
        self.writer.enqueue(.read) { [decode = self.decode] storage in
          try storage.openRows().map { try storage.record($0, decode) }
        }
      },
      acknowledge: { record in
        let old = StoredRow(record, order: self.encode(record.intent.order))
        var delivered = record
        delivered.isDelivered = true
        let new = StoredRow(delivered, order: old.order)
        let change =
          [.text(new.change), .text(new.checksum), .text(old.order), .text(old.checksum)] as [Database.Value]
        return self.writer.enqueue(.write) { try $0.acknowledge(change) }
      })
  }

  /// Returns all records, the oldest operation first.
  ///
  /// The future fails with the kind `damaged` if a record is corrupt. Then the next opening salvages the others.
  public func records() -> Future<[TakingRecord<OrderID>], JournalError> {
    writer.enqueue(.read) { [decode] storage in try storage.rows().map { try storage.record($0, decode) } }
  }

  /// The report of a recovery that lost records, or an unknown number of them, until ``acknowledgeLoss()`` is called.
  ///
  /// ``recovery`` also returns this report when the journal is opened again.
  public var unacknowledgedLoss: JournalRecovery? {
    recovery.flatMap { $0.lost == 0 || isLossAcknowledged.load(ordering: .acquiring) ? nil : $0 }
  }

  /// Records that the user knows of the loss, so that it is not reported again.
  public func acknowledgeLoss() -> Future<Void, JournalError> {
    writer.enqueue(.syncedWrite) { try $0.setLoss(nil) }
      .map(immediateExecutionContext) { self.isLossAcknowledged.store(true, ordering: .releasing) }
  }

  /// Closes the file, so that it can be opened again.
  ///
  /// It waits until all earlier calls of ``journal`` have finished. Later calls fail. A second call does nothing.
  public func close() { writer.close() }

  deinit { writer.close() }

  private func write(_ record: TakingRecord<OrderID>) -> Future<Void, JournalError> {
    let row = StoredRow(record, order: encode(record.intent.order)).values
    if writeCount.wrappingAdd(1, ordering: .relaxed).newValue % Self.batch == 0 { removeDelivered() }
    return writer.enqueue(record.checkpoint.mustSurvivePowerFailure ? .syncedWrite : .write) { try $0.write(row) }
  }

  private func removeDelivered() {
    guard let limit = retention.limit(at: now()) else { return }
    writer.enqueue(.write) { try $0.removeDelivered(before: limit.wholeNanoseconds, atMost: Self.batch) }
      .onSuccess(immediateExecutionContext) { [weak self] count in
        if count == Self.batch { self?.removeDelivered() }
      }
  }

  private static var batch: Int { 256 }
}

extension SQLiteJournal {
  /// Returns all records of a journal, the oldest operation first, even while a process has it open.
  ///
  /// It reads the file before it returns, and changes no file.
  ///
  /// - Throws: `JournalError` of kind `damaged` if a record is corrupt, `tooNew` if a later version wrote the journal,
  ///   `foreign` if the file is not a journal, and `storage` if the file is missing, unreadable or of an earlier
  ///   version.
  public static func records(
    at path: String, decode: (String) -> OrderID?
  ) throws(JournalError) -> [TakingRecord<OrderID>] {
    try JournalListing.read(path) { storage in try storage.rows().map { try storage.record($0, decode) } }
  }

  /// Returns the report of a recovery that lost records and was not acknowledged, even while a process has the journal open.
  ///
  /// - Throws: The errors of ``records(at:decode:)``.
  public static func unacknowledgedLoss(at path: String) throws(JournalError) -> JournalRecovery? {
    try JournalListing.read(path) { storage in try storage.loss() }
  }

  /// Assigns a journal to another server, for example if the server has moved or the name in the file is corrupt.
  ///
  /// - Throws: `JournalError` as when the journal is opened, and if it cannot be written.
  public static func rebind(at path: String, toServer server: String) throws(JournalError) {
    let (storage, _) = try JournalStorage.open(at: path)
    try storage.write { try $0.set(.origin, to: server) }
  }
}

extension SQLiteJournal where OrderID: LosslessStringConvertible {
  /// Opens a journal that stores orders as their description.
  ///
  /// - Throws: The errors of ``init(at:server:retention:now:encode:decode:)``.
  public convenience init(
    at path: String, server: String, retention: JournalRetention = .standard, now: (@Sendable () -> Duration)? = nil
  ) throws(JournalError) {
    try self.init(
      at: path, server: server, retention: retention, now: now, encode: { $0.description }, decode: { OrderID($0) })
  }

  /// Returns all records of a journal that stores orders as their description; see ``records(at:decode:)``.
  public static func records(at path: String) throws(JournalError) -> [TakingRecord<OrderID>] {
    try records(at: path, decode: { OrderID($0) })
  }
}
