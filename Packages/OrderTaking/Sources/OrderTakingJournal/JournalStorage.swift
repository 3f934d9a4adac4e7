internal import OrderTaking

/// The journal's file, open and locked.
///
/// Not thread-safe: whoever holds it takes turns.
final class JournalStorage {
  private let database: Database
  private let path: String
  private let lock: JournalLock?

  init(_ database: Database, at path: String, lock: JournalLock? = nil) {
    self.database = database
    self.path = path
    self.lock = lock
  }

  deinit {
    // The file first, and then the lock that keeps others from it.
    withExtendedLifetime(lock) { database.close() }
  }

  func write(_ row: StoredRow) throws(JournalError) {
    try run("write") { database throws(Database.Refusal) in
      try database.query(
        """
        INSERT INTO takings (order_id, key, body, begun_at, change, detail, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (order_id) DO UPDATE SET key = excluded.key, body = excluded.body, begun_at = excluded.begun_at,
          change = excluded.change, detail = excluded.detail, checksum = excluded.checksum
        """,
        [
          .text(row.order), .text(row.key), .blob(row.body), .integer(row.begunAt), .text(row.change),
          .text(row.detail), .text(row.checksum),
        ])
    }
  }

  /// Writes many rows, all or none.
  func write(all rows: [StoredRow]) throws(JournalError) {
    try run("write") { database throws(Database.Refusal) in try database.execute("BEGIN IMMEDIATE") }
    for row in rows { try write(row) }
    try run("write") { database throws(Database.Refusal) in try database.execute("COMMIT") }
  }

  /// Puts rows in the place of others, where those are still there.
  ///
  /// Does not wait for the disk: the end of the process loses nothing, and the end of the machine these changes alone.
  func replace(_ pairs: [(old: StoredRow, new: StoredRow)]) throws(JournalError) {
    try run("write") { database throws(Database.Refusal) in
      // Whatever happens: what is written next must be safe, and not part of what failed.
      defer { try? database.execute("PRAGMA synchronous=FULL") }
      try database.execute("PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE")
      do throws(Database.Refusal) {
        for (old, new) in pairs {
          try database.query(
            "UPDATE takings SET change = ?, checksum = ? WHERE order_id = ? AND checksum = ?",
            [.text(new.change), .text(new.checksum), .text(old.order), .text(old.checksum)])
        }
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw error
      }
    }
  }

  func row(of order: String) throws(JournalError) -> StoredRow? {
    let values = try run("read") { database throws(Database.Refusal) in
      try database.query(Salvage.selection + " WHERE order_id = ?", [.text(order)]).first
    }
    guard let values else { return nil }
    return try checked(values)
  }

  func rows() throws(JournalError) -> [StoredRow] {
    let rows = try run("read") { database throws(Database.Refusal) in
      try database.query(Salvage.selection + " ORDER BY begun_at, id")
    }
    var checkedRows: [StoredRow] = []
    for values in rows { checkedRows.append(try checked(values)) }
    return checkedRows
  }

  /// Which server the orders are of, if that was ever said.
  func server() throws(JournalError) -> String? {
    let values = try run("read") { database throws(Database.Refusal) in
      try database.query("SELECT server FROM origin WHERE id = 1").first
    }
    guard case .text(let server)? = values?.first else { return nil }
    return server
  }

  func note(server: String) throws(JournalError) {
    try run("write") { database throws(Database.Refusal) in
      try database.query("INSERT OR IGNORE INTO origin (id, server) VALUES (1, ?)", [.text(server)])
    }
  }

  func forget(_ order: String) throws(JournalError) {
    try run("forget a record of") { database throws(Database.Refusal) in
      try database.query("DELETE FROM takings WHERE order_id = ?", [.text(order)])
    }
  }

  private func checked(_ values: [Database.Value]) throws(JournalError) -> StoredRow {
    guard let row = Salvage.row(values) else {
      throw JournalError(
        .damaged, "Cannot read the journal \(path): a record is corrupt. Open the journal again to salvage it.")
    }
    return row
  }

  @discardableResult
  private func run<Value>(
    _ what: String, _ body: (Database) throws(Database.Refusal) -> Value
  ) throws(JournalError) -> Value {
    do { return try body(database) } catch { throw journalError(error, what, path) }
  }
}

/// The error that a refusal is, with the way out.
func journalError(_ refusal: Database.Refusal, _ what: String, _ path: String) -> JournalError {
  if refusal.isBusy {
    return JournalError(
      .inUse,
      "Cannot \(what) the journal \(path): it is already open in this process or another one. Close it there, end that "
        + "process, or use another file.")
  }
  return JournalError(
    refusal.isDamage ? .damaged : .storage,
    "Cannot \(what) the journal \(path): \(refusal.message) (SQLite \(refusal.code)). "
      + (refusal.isDamage ? "Open the journal again to salvage it." : refusal.nextStep))
}

/// The error that a file is which is somebody else's.
func foreign(_ path: String, _ what: String) -> JournalError {
  JournalError(
    .foreign,
    "Cannot open the journal \(path): the file is \(what), and was not changed. Use another file, or move this one away."
  )
}
