internal import OrderTaking
internal import OrderTakingJournal

extension OrderStore {
  /// A store in an SQLite file, which survives the process: a write returns when it is on the disk.
  ///
  /// The file is locked as long as the store is open, and made when there is none.
  ///
  /// - Parameter path: Where the file is; its directory must exist.
  /// - Throws: ``OrderStoreError`` when it is open already, in this process or another one, when it is no such file, and when it
  ///   cannot be read.
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
      save: { entries, stream throws(OrderStoreError) in
        try file.withLock { file throws(OrderStoreError) in
          guard let file else { throw closed }
          try file.save(entries, stream)
        }
      },
      close: { file.withLock { $0 = nil } })
  }
}

/// The file, open and locked.
///
/// Not thread-safe: whoever holds it takes turns.
private final class OrderFile {
  private let database: Database
  private let path: String

  private static let version: Int64 = 1
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
      // A database of something else is left as it is.
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
    let (rows, stream) = try run("read") { database throws(Database.Refusal) in
      (
        try database.query(
          """
          SELECT id, details, verdict, decided_after, driver, key, body_hash, begun_at, answer, reason, cursor FROM orders
          ORDER BY cursor, id
          """), try database.query("SELECT name FROM stream").first?.first
      )
    }
    var contents = OrderStore.Contents()
    if case .text(let name)? = stream { contents.stream = name }
    for row in rows {
      guard let entry = OrderRow.entry(row) else {
        throw OrderStoreError("Cannot read the server's file \(path): an order cannot be decoded. Use another file.")
      }
      contents.entries.append(entry)
    }
    return contents
  }

  func save(_ entries: [OrderBook.Entry], _ stream: String) throws(OrderStoreError) {
    try run("write") { database throws(Database.Refusal) in
      try database.execute("BEGIN IMMEDIATE")
      do throws(Database.Refusal) {
        try database.query("INSERT OR REPLACE INTO stream VALUES (1, ?)", [.text(stream)])
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
