internal import Foundation
internal import OrderTaking

/// Not thread-safe: its owner uses it on one thread at a time.
final class JournalStorage {
  private(set) var database: Database
  let path: String
  private let lock: JournalLock?
  private var syncCount: Int32
  /// Whether the file may contain more than the connection knows, because a commit failed.
  private var isUncertain = false

  init(_ database: Database, at path: String, lock: JournalLock? = nil) throws(Database.Refusal) {
    (self.database, self.path, self.lock) = (database, path, lock)
    syncCount = try Self.syncCount(of: database)
  }

  deinit {
    // The lock is released after the file is closed.
    withExtendedLifetime(lock) { database.close() }
  }

  private static func syncCount(of database: Database) throws(Database.Refusal) -> Int32 {
    guard case .integer(let count)? = try database.query("PRAGMA application_id").first?.first else { return 0 }
    return Int32(truncatingIfNeeded: count)
  }

  // MARK: Transactions

  /// - Throws: An error after which no job has changed the file; of kind `unknownOutcome` if all jobs may have changed
  ///   it.
  func run(_ jobs: [Job]) throws(JournalError) -> [@Sendable () -> Void] {
    do {
      if isUncertain { try reopen() }
      let isWriting = jobs.contains { $0.kind != .read }
      if isWriting { try begin(isSynced: jobs.contains { $0.kind == .syncedWrite }) }
      var completions: [@Sendable () -> Void] = []
      for job in jobs {
        do { completions.append(try job.run(self)) } catch {
          // Usually SQLite undoes only the statement. After some errors it undoes the transaction.
          if isWriting, !database.isInTransaction { throw error }
          let failure = failure(error, job.kind == .read ? "read" : "write")
          completions.append { job.fail(failure) }
        }
      }
      if isWriting { try commit() }
      return completions
    } catch { throw failure(error, "write") }
  }

  func write(_ work: @escaping Job.Work<Void>) throws(JournalError) {
    let failure = Locked<JournalError?>(nil)
    let job = Job(.syncedWrite, work) { result in failure.withLock { $0 = result.failure } }
    for complete in try run([job]) { complete() }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func begin(isSynced: Bool) throws {
    try database.execute("PRAGMA synchronous=\(isSynced ? "FULL" : "NORMAL")")
    try database.execute("BEGIN IMMEDIATE")
    guard isSynced else { return }
    syncCount &+= 1
    do { try database.execute("PRAGMA application_id=\(syncCount)") } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  private func commit() throws {
    do throws(Database.Refusal) { try database.execute("COMMIT") } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      // The last page of a transaction makes it valid, so with a full disk the transaction is not in the file.
      guard !error.isFull else { throw error }
      isUncertain = true
      throw JournalError(
        .unknownOutcome,
        "Cannot write the journal \(path): \(error.message) (SQLite \(error.code)). The record may be stored. "
          + error.nextStep)
    }
  }

  /// Opens the file again, and makes its content permanent: a failed sync may have left it only in memory.
  private func reopen() throws {
    let hook = database.hook
    database.close()
    try JournalListing.isolation.withLock {
      database = try Self.connect(to: path, hook)
      syncCount = try Self.syncCount(of: database)
    }
    // The commit overwrites or confirms the end of the log, and the checkpoint copies the log into the file.
    try begin(isSynced: true)
    try database.execute("COMMIT")
    try database.execute("PRAGMA wal_checkpoint(FULL)")
    isUncertain = false
  }

  private func failure(_ error: any Error, _ action: String) -> JournalError {
    // The next opening checks all records. A reader without the lock must not change anything.
    if lock != nil, (error as? Database.Refusal)?.isDamage == true { Self.requestCheck(of: path) }
    return journalError(error, action, path)
  }

  // MARK: Statements, to be used in a job

  func write(_ row: [Database.Value]) throws {
    try database.query(
      """
      INSERT INTO takings (\(StoredRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (order_id) DO UPDATE SET key = excluded.key, body = excluded.body, begun_at = excluded.begun_at,
        change = excluded.change, detail = excluded.detail, put_at = excluded.put_at, put_uptime = excluded.put_uptime,
        boot = excluded.boot, checksum = excluded.checksum
      """, row)
  }

  func acknowledge(_ change: [Database.Value]) throws {
    try database.query("UPDATE takings SET change = ?, checksum = ? WHERE order_id = ? AND checksum = ?", change)
  }

  func removeDelivered(before limit: Int64, atMost count: Int) throws -> Int {
    try database.query(Self.removal, [.integer(limit), .integer(Int64(count))])
    return database.changeCount
  }

  static let removal = """
    DELETE FROM takings WHERE id IN (
      SELECT id FROM takings INDEXED BY takings_removable
      WHERE substr(change, 1, 5) = 'told ' AND change <> 'told unknown' AND begun_at < ? ORDER BY begun_at LIMIT ?)
    """

  func row(of order: String) throws -> StoredRow? {
    try rows(Self.selection + " WHERE order_id = ?", [.text(order)]).first
  }

  func openRows() throws -> [StoredRow] { try rows(Self.keptSelection, countedBy: "kept").filter(\.isOpen) }

  func rows() throws -> [StoredRow] { try rows(Self.selection + " ORDER BY begun_at, id", countedBy: "takings") }

  static let selection = "SELECT \(StoredRow.columns) FROM takings"
  static let keptSelection = selection + " INDEXED BY takings_kept WHERE kept ORDER BY begun_at, id"

  private func rows(
    _ sql: String, _ parameters: [Database.Value] = [], countedBy column: String? = nil
  ) throws -> [StoredRow] {
    let values = try database.query(sql, parameters)
    let rows = values.compactMap { StoredRow($0) }
    let counts = try column.map { try database.query("SELECT \($0) FROM tally") }
    guard rows.count == values.count, counts == nil || counts == [[.integer(Int64(rows.count))]] else {
      throw Database.Refusal.damaged("a record is corrupt")
    }
    return rows
  }

  // MARK: Notes

  func row(of note: Note) throws -> [Database.Value]? { try database.query("SELECT * FROM \(note)").first }

  func set(_ note: Note, to text: String) throws {
    try database.query(
      "INSERT OR REPLACE INTO \(note) VALUES (?, ?, ?)",
      [.integer(note == .origin ? 1 : 2), .text(text), .text(note.checksum(of: text))])
  }

  /// If the report cannot be read, an unknown number of records was lost.
  func loss() throws -> JournalRecovery? {
    let row = try row(of: .loss)
    guard try row != nil || database.query("SELECT loss FROM tally") != [[.integer(0)]] else { return nil }
    return row.flatMap { Note.loss.text(in: $0) }.flatMap { JournalRecovery(encoded: $0) } ?? .unreadable(at: path)
  }

  func setLoss(_ report: JournalRecovery?) throws {
    if let report { try set(.loss, to: report.encoded) } else { try database.execute("DELETE FROM loss") }
    try database.execute("UPDATE tally SET loss = \(report == nil ? 0 : 1)")
  }

  /// A file with records but without a name has lost the name.
  func bind(to server: String) throws(JournalError) {
    let row: [Database.Value]?
    let isEmpty: Bool
    do {
      row = try self.row(of: .origin)
      isEmpty = try database.query("SELECT takings FROM tally") == [[.integer(0)]]
    } catch { throw failure(error, "read") }
    guard row != nil || !isEmpty else { return try write { try $0.set(.origin, to: server) } }
    guard let known = row.flatMap({ Note.origin.text(in: $0) }) else {
      // Earlier releases stored no checksum. Damage never makes a name that of the requested server.
      if let row, row.last == .null, let stored = row[1].text {
        guard !stored.utf8.elementsEqual(server.utf8) else { return try write { try $0.set(.origin, to: server) } }
        throw JournalError(
          .damaged,
          "Cannot open the journal \(path): it names the server \(stored), without a checksum. If its orders are of \(stored), "
            + "use that server. If they are of \(server), assign it to this server.")
      }
      let what = row == nil ? "missing" : "corrupt"
      throw JournalError(
        .damaged,
        "Cannot open the journal \(path): the name of its server is \(what). If its orders are of \(server), assign it to "
          + "this server.")
    }
    guard known.utf8.elementsEqual(server.utf8) else {
      throw JournalError(
        .otherServer,
        "Cannot use the journal \(path): it holds orders of \(known), not of \(server). Use that server, or another journal."
      )
    }
  }

  // MARK: Records

  func record<OrderID>(_ row: StoredRow, _ decode: (String) -> OrderID?) throws -> TakingRecord<OrderID> {
    guard let order = decode(row.order), let record = row.record(order: order) else {
      throw JournalError(
        .damaged,
        "Cannot read the journal \(path): the record of order \"\(row.order)\" cannot be decoded. Open the journal with the "
          + "functions that wrote it.")
    }
    return record
  }
}

func journalError(_ error: any Error, _ action: String, _ path: String) -> JournalError {
  if let error = error as? JournalError { return error }
  guard let refusal = error as? Database.Refusal else {
    return JournalError(.storage, "Cannot \(action) the journal \(path): \(error)")
  }
  if refusal.isBusy {
    return JournalError(
      .inUse,
      "Cannot \(action) the journal \(path): it is already open in this process or another one. Close it there, end that "
        + "process, or use another file.")
  }
  return JournalError(
    refusal.isDamage ? .damaged : refusal.isReadOnly ? .notWritable : .storage,
    "Cannot \(action) the journal \(path): \(refusal.message) (SQLite \(refusal.code)). "
      + (refusal.isDamage ? "Open the journal again to salvage it." : refusal.nextStep))
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
