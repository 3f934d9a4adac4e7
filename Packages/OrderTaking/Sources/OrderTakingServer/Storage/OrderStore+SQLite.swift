internal import OrderTaking
internal import OrderTakingDispatch
internal import OrderTakingJournal

extension OrderStore {
  /// Returns a store in an SQLite file.
  ///
  /// A write returns after its data is on the disk.
  ///
  /// The file is created if it does not exist, and locked while the store is open.
  ///
  /// - Throws: ``OrderStoreError`` if the file is already open in this process or another one, if it is a file of
  ///   another kind, or if it cannot be read.
  public static func sqlite(at path: String) throws(OrderStoreError) -> OrderStore {
    let file = Locked<OrderFile?>(try OrderFile(at: path))
    let closed = OrderStoreError("Cannot use the server's file \(path): it is closed. Start a new server.")
    return OrderStore(
      load: { () throws(OrderStoreError) in
        try file.withLock { file throws(OrderStoreError) in
          guard let file else { throw closed }
          return try file.load()
        }
      },
      save: { entries, epoch throws(OrderStoreError) in
        try file.withLock { file throws(OrderStoreError) in
          guard let file else { throw closed }
          try file.save(entries, epoch)
        }
      },
      close: { file.withLock { $0 = nil } })
  }
}

/// An open and locked file.
///
/// It is not thread-safe.
private final class OrderFile {
  private let database: Database
  private let path: String

  private static let version: Int64 = 1
  /// The table `stream` contains the epoch.
  private static let tables = """
    CREATE TABLE orders (
      id TEXT PRIMARY KEY, details TEXT NOT NULL, verdict TEXT, decided_after INTEGER NOT NULL,
      driver TEXT, key TEXT, body_hash TEXT, begun_at INTEGER, answer TEXT, reason TEXT, cursor INTEGER
    ) STRICT;
    CREATE TABLE stream (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;
    """

  init(at path: String) throws(OrderStoreError) {
    guard Database.mayBe(at: path) else {
      throw OrderStoreError("Cannot open the server's file \"\(path)\": it is not a regular file. Use another path.")
    }
    do throws(Database.Refusal) {
      database = try Database(at: path)
      self.path = path
      try database.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      // The database of another program is not changed.
      let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap(\.self)
      guard tables.isEmpty || tables.contains(.text("orders")) && tables.contains(.text("stream")) else {
        let isJournal = tables.contains(.text("takings")) && tables.contains(.text("tally"))
        throw Database.Refusal(
          code: 1, message: isJournal ? "it is an order journal" : "it is another program's database")
      }
      try database.query("PRAGMA journal_mode=WAL")
      try database.execute("PRAGMA synchronous=FULL; BEGIN EXCLUSIVE; COMMIT")
      if try database.query("PRAGMA user_version").first == [.integer(0)] {
        try database.execute("BEGIN; \(Self.tables) PRAGMA user_version = \(Self.version); COMMIT")
      }
    } catch {
      throw Self.error(error, "open", path)
    }
    let version = (try? database.query("PRAGMA user_version").first?.first) ?? .null
    guard version == .integer(Self.version) else {
      throw OrderStoreError(
        "Cannot open the server's file \(path): another release wrote it. Use that release, or another file.")
    }
  }

  func load() throws(OrderStoreError) -> OrderStore.Contents {
    let (rows, epoch) = try run("read") { database throws(Database.Refusal) in
      (
        try database.query(
          """
          SELECT id, details, verdict, decided_after, driver, key, body_hash, begun_at, answer, reason, cursor FROM orders
          ORDER BY cursor, id
          """), try database.query("SELECT name FROM stream").first?.first
      )
    }
    var contents = OrderStore.Contents()
    if case .text(let name)? = epoch { contents.epoch = name }
    for row in rows {
      guard let entry = OrderRow.entry(row) else {
        throw OrderStoreError("Cannot read the server's file \(path): an order cannot be decoded. Use another file.")
      }
      contents.entries.append(entry)
    }
    return contents
  }

  func save(_ entries: [DispatchState.Entry], _ epoch: String) throws(OrderStoreError) {
    try run("write") { database throws(Database.Refusal) in
      try database.execute("BEGIN IMMEDIATE")
      do throws(Database.Refusal) {
        try database.query("INSERT OR REPLACE INTO stream VALUES (1, ?)", [.text(epoch)])
        for entry in entries {
          try database.query(
            "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", OrderRow.values(entry))
        }
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw error
      }
    }
  }

  @discardableResult
  private func run<Value>(
    _ what: String, _ body: (Database) throws(Database.Refusal) -> Value
  ) throws(OrderStoreError) -> Value {
    do { return try body(database) } catch { throw Self.error(error, what, path) }
  }

  private static func error(_ refusal: Database.Refusal, _ what: String, _ path: String) -> OrderStoreError {
    let advice =
      refusal.isBusy
      ? "It is already open in this process or another one. Close it there, end that process, or use another file."
      : refusal.nextStep
    return OrderStoreError("Cannot \(what) the server's file \(path): \(refusal.message). \(advice)")
  }
}
