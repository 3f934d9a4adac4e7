internal import CSQLite
internal import Foundation
internal import OrderTaking

/// The file of a journal: its tables, its lock, its transactions, and the detection of damage and removal.
///
/// Not thread-safe: its owner uses it on one thread at a time.
final class JournalFile {
  let path: String
  private let database: Database
  /// The file and its write-ahead log, as they were opened.
  private var identities: [FileIdentity?] = []
  /// The size of the log after the last transaction; only this connection makes it smaller.
  private var logSize = 0
  /// Whether the log may end with a transaction whose commit failed.
  private var isUncertain = false

  static let applicationID: Int64 = 0x4F72_4A6C

  /// The tables; `due_at` is `NULL` if nothing is left to do.
  static let schema = [
    "CREATE TABLE journal (server TEXT NOT NULL) STRICT",
    """
    CREATE TABLE takings (
      id INTEGER PRIMARY KEY, driver TEXT NOT NULL, order_id TEXT NOT NULL, state TEXT NOT NULL, begun_at INTEGER NOT NULL,
      due_at INTEGER, delivered INTEGER NOT NULL, record TEXT NOT NULL, UNIQUE (driver, order_id)
    ) STRICT
    """,
    "CREATE INDEX takings_state ON takings (state, driver, order_id)",
    "CREATE INDEX takings_due ON takings (driver, due_at, begun_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX takings_removable ON takings (begun_at) WHERE due_at IS NULL",
  ]

  // MARK: Opening

  /// Opens and locks a file, and creates it if it is missing or empty.
  ///
  /// - Parameter isRebinding: Whether the file is assigned to the server.
  static func open(at path: String, server: String, isRebinding: Bool = false) throws(JournalError) -> JournalFile {
    // An absolute path does not depend on the current folder, and SQLite reads it as a file name.
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let wasClosed = FileIdentity(at: path + "-wal")?.size ?? 0 == 0
    let database: Database
    do throws(Database.Refusal) {
      let isEmpty = FileIdentity(at: path)?.size ?? 0 == 0
      // SQLite would delete the log.
      if isEmpty, !wasClosed { throw damage("only its write-ahead log is left") }
      if isEmpty, isRebinding { throw Database.Refusal(code: SQLITE_CANTOPEN, message: "it does not exist") }
      // A process that was killed while it created the file leaves a rollback journal.
      if isEmpty || FileIdentity(at: path + "-journal") != nil { try create(at: path, server) }
      database = try Database(at: path)
    } catch {
      throw failure(error, "open", path)
    }
    let file = JournalFile(path, database)
    do { try file.lock(server, wasClosed, isRebinding) } catch {
      defer { database.close(keepingLog: !wasClosed) }
      throw failure(error, "open", path)
    }
    return file
  }

  private init(_ path: String, _ database: Database) { (self.path, self.database) = (path, database) }

  private func lock(_ server: String, _ wasClosed: Bool, _ isRebinding: Bool) throws {
    // Before the first read, so that the index of the log is not shared with other processes.
    try database.execute("PRAGMA locking_mode=EXCLUSIVE")
    try checkTables()
    try database.query("PRAGMA journal_mode=WAL")
    // Damage while the file is closed is found when SQLite reads the damaged page.
    if !wasClosed { try checkPages() }
    try bind(to: server, isRebinding)
    identities = currentIdentities
  }

  /// Creates the tables before the file is locked, so that of two processes one creates the file, and the other one waits.
  private static func create(at path: String, _ server: String) throws(Database.Refusal) {
    let database = try Database(at: path)
    try database.execute("BEGIN IMMEDIATE")
    guard try database.query("SELECT count(*) FROM sqlite_schema") == [[.integer(0)]] else { return }
    for statement in schema { try database.execute(statement) }
    try database.query("INSERT INTO journal VALUES (?)", [.text(server)])
    try database.execute("PRAGMA application_id=\(applicationID); COMMIT")
  }

  private func checkTables() throws {
    guard try database.query("PRAGMA application_id") == [[.integer(Self.applicationID)]] else {
      throw Self.foreign(path, "is another program's database")
    }
    let found = try database.query("SELECT sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'")
    guard Set(found) == Set(Self.schema.map { [.text($0)] }) else {
      throw Self.foreign(path, "has other tables than the journals of this version")
    }
  }

  private static func foreign(_ path: String, _ what: String) -> JournalError {
    JournalError(
      .foreign,
      "Cannot open the journal \(path): the file \(what), and was not changed. Use another file. If it was a journal, move it and "
        + "the files \(path)-* away.")
  }

  private func checkPages() throws(Database.Refusal) {
    let findings = try database.query("PRAGMA quick_check(1)").first?.first?.text ?? ""
    guard findings == "ok" else { throw Self.damage(findings) }
  }

  private func bind(to server: String, _ isRebinding: Bool) throws {
    if isRebinding { try database.query("UPDATE journal SET server = ?", [.text(server)]) }
    guard let known = try database.query("SELECT server FROM journal").first?.first?.text else {
      throw Self.damage("the name of its server is missing")
    }
    guard known.utf8.elementsEqual(server.utf8) else {
      throw JournalError(
        .otherServer,
        "Cannot use the journal \(path): it holds orders of \(known), not of \(server). Use that server, or another journal. If the "
          + "server has moved, assign the journal to its new name.")
    }
  }

  /// Closes and unlocks the file.
  ///
  /// SQLite does not remove the log of a file that has moved, so the records are copied into the file first.
  func close() {
    if hasMoved { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    database.close()
  }

  // MARK: Transactions

  /// Runs jobs in one transaction.
  ///
  /// - Throws: An error after which no job has changed the file; of kind `unknownOutcome` if all jobs may have changed it.
  /// - Returns: The functions that complete the jobs.
  func run(_ jobs: [Job]) throws(JournalError) -> [@Sendable () -> Void] {
    do {
      if hasMoved { throw removal }
      if isUncertain { try endUncertainty() }
      let level = jobs.map(\.level).max() ?? .read
      if level > .read { try begin(isSynced: level == .syncedWrite) }
      var completions: [@Sendable () -> Void] = []
      for job in jobs {
        do { completions.append(try job.run(database)) } catch {
          // Usually SQLite undoes only the statement. After some errors it undoes the transaction.
          if level > .read, !database.isInTransaction { throw error }
          if (error as? Database.Refusal)?.isDamage == true { throw error }
          let failure = failure(error, job.level == .read ? "read" : "write")
          completions.append { job.fail(failure) }
        }
      }
      if level > .read { try commit() }
      logSize = FileIdentity(at: path + "-wal")?.size ?? 0
      return completions
    } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw failure(error, "write")
    }
  }

  private func begin(isSynced: Bool) throws(Database.Refusal) {
    try database.execute("PRAGMA synchronous=\(isSynced ? "FULL" : "NORMAL"); BEGIN IMMEDIATE")
  }

  private func commit() throws {
    do throws(Database.Refusal) { try database.execute("COMMIT") } catch {
      // The last page of a transaction makes it valid, so with a full disk the transaction is not in the file.
      guard !error.isFull else { throw error }
      isUncertain = true
      throw JournalError(
        .unknownOutcome,
        "Cannot write the journal \(path): \(error.message) (SQLite \(error.code)). The record may be stored. "
          + error.nextStep)
    }
  }

  /// Copies all committed transactions from the log into the file, and begins a new log, so that no power failure restores a transaction
  /// that this connection has rolled back.
  private func endUncertainty() throws {
    logSize = 0
    guard try database.query("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0) else {
      throw Database.Refusal(code: SQLITE_BUSY, message: "the log is in use")
    }
    try begin(isSynced: true)
    // An update with the same value would write nothing.
    try database.execute("PRAGMA user_version=1; COMMIT")
    isUncertain = false
  }

  // MARK: Removal, truncation and damage

  private var currentIdentities: [FileIdentity?] { [FileIdentity(at: path), FileIdentity(at: path + "-wal")] }

  private var hasMoved: Bool {
    let current = currentIdentities
    return current != identities || current.last??.size ?? 0 < logSize
  }

  private var removal: JournalError {
    JournalError(
      .moved,
      "Cannot use the journal \(path): the file or its log \(path)-wal was removed, replaced or truncated while the journal was "
        + "open. Nothing was written. Put the files back if you can, close the journal, and open it again.")
  }

  private func failure(_ error: any Error, _ action: String) -> JournalError { Self.failure(error, action, path) }

  private static func failure(_ error: any Error, _ action: String, _ path: String) -> JournalError {
    if let error = error as? JournalError { return error }
    guard let refusal = error as? Database.Refusal else {
      return JournalError(.storage, "Cannot \(action) the journal \(path): \(error)")
    }
    if refusal.isNoDatabase { return foreign(path, "is not an SQLite database") }
    if refusal.isDamage { return damage(refusal, moveAside(path), path) }
    if refusal.isBusy {
      return JournalError(
        .inUse,
        "Cannot \(action) the journal \(path): it is already open in this process or another one. \(refusal.nextStep)")
    }
    return JournalError(
      refusal.isReadOnly ? .notWritable : .storage,
      "Cannot \(action) the journal \(path): \(refusal.message) (SQLite \(refusal.code)). \(refusal.nextStep)")
  }

  /// Renames a damaged file and its log while they are locked, so that no other process opens them before.
  ///
  /// - Returns: The new path of the file, or `nil` if it cannot be renamed.
  private static func moveAside(_ path: String) -> String? {
    let endings = ["", "-wal", "-shm", "-journal"]
    func isFree(_ name: String) -> Bool { endings.allSatisfy { FileIdentity(at: name + $0) == nil } }
    guard let name = (1...1_000).lazy.map({ "\(path).damaged-\($0)" }).first(where: isFree) else { return nil }
    let present = endings.filter { FileIdentity(at: path + $0) != nil }
    return present.allSatisfy { rename(path + $0, name + $0) == 0 } ? name : nil
  }

  private static func damage(_ what: String) -> Database.Refusal {
    Database.Refusal(code: SQLITE_CORRUPT, message: what)
  }

  private static func damage(_ refusal: Database.Refusal, _ name: String?, _ path: String) -> JournalError {
    let place =
      name.map { "It was moved to \($0). Opening the journal again starts an empty one." }
      ?? "Move it and the files \(path)-* away. Opening the journal again then starts an empty one."
    return JournalError(
      .damaged,
      "Cannot use the journal \(path): the file is damaged: \(refusal.message) (SQLite \(refusal.code)). \(place) Take each "
        + "unfinished order again, which finds its outcome through the server.")
  }
}

/// The file behind a path.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64
  let size: Int

  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number, size) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino), Int(status.st_size))
  }

  static func == (left: Self, right: Self) -> Bool { (left.device, left.number) == (right.device, right.number) }
}
