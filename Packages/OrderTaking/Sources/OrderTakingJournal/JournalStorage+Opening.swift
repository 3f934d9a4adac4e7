internal import CSQLite
internal import Foundation
internal import OrderTaking

extension JournalStorage {
  /// Opens a file, creates it if it is missing, and recovers it if it is damaged.
  ///
  /// - Returns: The file, and the report on its recovery or on an earlier recovery with losses.
  static func open(
    at path: String, schema: Schema = .current, hook: Database.Hook? = nil
  ) throws(JournalError) -> (storage: JournalStorage, recovery: JournalRecovery?) {
    JournalListing.isolation.lock()
    defer { JournalListing.isolation.unlock() }
    let file = try file(at: path)
    // Before the first read, because another process may be recovering the file.
    let lock = try JournalLock(of: file)
    return try open(at: file, schema, lock, hook)
  }

  private static func open(
    at path: String, _ schema: Schema, _ lock: JournalLock, _ hook: Database.Hook?
  ) throws(JournalError) -> (storage: JournalStorage, recovery: JournalRecovery?) {
    let recovery = Recovery(of: path, schema)
    try recovery.finishInterrupted()
    let header = FileHeader(at: path)
    let log = WriteAheadLog(at: path + "-wal")
    let logDamage = log?.damage(syncCount: header.syncCount)
    // SQLite writes the first page of a new file before it creates the log. Without that page, it would delete the log.
    let isHeaderLost = header.isEmpty && log?.hasCommit == true
    do {
      if let damage = isHeaderLost ? "its file is missing or empty, but not its log" : header.damage ?? logDamage {
        throw Database.Refusal.damaged(damage)
      }
      let storage = try openUndamaged(at: path, schema, lock, hook)
      return (storage, try storage.loss())
    } catch let error as Database.Refusal where error.isDamage {
      // The number of records in the file is not current if the log is damaged.
      let report = try recovery.run(error.message, isCounted: logDamage == nil)
      do { return (try openUndamaged(at: path, schema, lock, hook), report) } catch {
        throw journalError(error, "open", path)
      }
    } catch { throw journalError(error, "open", path) }
  }

  /// All names of a file then have the same lock and the same log, and a recovery replaces the file and not the link.
  static func file(at path: String) throws(JournalError) -> String {
    guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
      throw JournalError(
        .storage,
        "Cannot open a journal at \"\(path)\": SQLite does not read this as a file name. Use a path such as ./orders.sqlite."
      )
    }
    guard Database.mayBe(at: path) else {
      throw JournalError(.storage, "Cannot open a journal at \"\(path)\": it is not a regular file. Use another path.")
    }
    var status = stat()
    guard stat(path, &status) != 0 || status.st_nlink == 1 else {
      throw JournalError(
        .storage,
        "Cannot open the journal \(path): its file has \(status.st_nlink) names (hard links), and a lock protects only one of "
          + "them. Remove the other names, or use a copy of the file.")
    }
    return FilePath.following(path)
  }

  private static func openUndamaged(
    at path: String, _ schema: Schema, _ lock: JournalLock, _ hook: Database.Hook?
  ) throws -> JournalStorage {
    let database = try connect(to: path, hook)
    let found = try declarations(in: database)
    guard isOwn(found, schema) else {
      let isServer = ["orders", "stream"].allSatisfy { name in
        found.contains { $0.prefix(2) == [.text("table"), .text(name)] }
      }
      throw foreign(path, isServer ? "the state of an order server" : "another program's database")
    }
    try database.query("PRAGMA journal_mode=WAL")
    let version = try version(of: database)
    guard version <= schema.steps.count else {
      // Each version declares other tables.
      if found == schema.declarations.last { throw Database.Refusal.damaged("its version is corrupt") }
      throw tooNew(path, version, schema)
    }
    try upgrade(database, from: version, to: schema)
    // An upgrade reads all records anyway.
    let isRequested = FileManager.default.fileExists(atPath: checkRequest(of: path))
    try check(database, schema, isThorough: isRequested || version > 0 && version < schema.steps.count)
    if isRequested { try? FileManager.default.removeItem(atPath: checkRequest(of: path)) }
    return try JournalStorage(database, at: path, lock: lock)
  }

  static func connect(to path: String, _ hook: Database.Hook? = nil) throws(Database.Refusal) -> Database {
    let database = try Database(at: path)
    database.hook = hook
    // Another program may have written the file, so its schema may call no function. Removed records leave no bytes. On Apple's
    // platforms, only a full sync also empties the cache of the disk.
    try database.execute(
      """
      PRAGMA busy_timeout=1000; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON;
      PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; PRAGMA synchronous=FULL
      """)
    return database
  }

  // MARK: Tables

  static func isOwn(_ found: [[Database.Value]], _ schema: Schema) -> Bool {
    return found.isEmpty || found.contains { $0.last != .null && schema.declarations.joined().contains($0) }
  }

  static func version(of database: Database) throws(Database.Refusal) -> Int {
    guard case .integer(let version)? = try database.query("PRAGMA user_version").first?.first, version >= 0 else {
      throw .damaged("its version is corrupt")
    }
    return Int(clamping: version)
  }

  /// Performs the missing steps of the schema, each completely or not at all.
  static func upgrade(_ database: Database, from version: Int, to schema: Schema) throws(Database.Refusal) {
    guard version < schema.steps.count else { return }
    // A wrong version would repeat steps.
    guard try declarations(in: database) == schema.declarations[version] else {
      throw .damaged("its tables do not match its version")
    }
    for (index, step) in schema.steps.enumerated().dropFirst(version) {
      try database.execute("BEGIN IMMEDIATE; \(step) PRAGMA user_version = \(index + 1); COMMIT")
    }
  }

  static func tooNew(_ path: String, _ version: Int, _ schema: Schema = .current) -> JournalError {
    JournalError(
      .tooNew,
      "Cannot open the journal \(path): it has version \(version), and this release reads versions up to "
        + "\(schema.steps.count). Use a newer release, or another file.")
  }

  static func declarations(in database: Database) throws(Database.Refusal) -> [[Database.Value]] {
    try database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
  }

  // MARK: Damage

  private static func check(_ database: Database, _ schema: Schema, isThorough: Bool) throws(Database.Refusal) {
    // First, because a view in place of a table can have endless rows.
    guard try declarations(in: database) == schema.declarations.last else {
      throw .damaged("its tables are not the tables of a journal")
    }
    if isThorough {
      try checkStructure(database, "5")
    } else {
      // A page of one of these small tables can be readable, and damaged so that it cannot be written.
      for table in ["tally", "origin", "loss"] { try checkStructure(database, table) }
    }
    var (count, wrong) = (0, 0)
    try database.each(isThorough ? selection : keptSelection) { values in
      count += 1
      if StoredRow(values).map({ isThorough || $0.isKept }) != true { wrong += 1 }
    }
    guard wrong == 0 else { throw .damaged("\(wrong) records are corrupt") }
    let counts = isThorough ? ["SELECT takings FROM tally"] : ["SELECT kept FROM tally", keptByOrder]
    for query in counts where try database.query(query) != [[.integer(Int64(count))]] {
      throw .damaged("the number of its records is wrong")
    }
  }

  private static func checkStructure(_ database: Database, _ part: String) throws(Database.Refusal) {
    let findings = try database.query("PRAGMA integrity_check(\(part))").flatMap(\.self)
    guard findings != [.text("ok")] else { return }
    // The first line names only the database.
    let lines = findings.compactMap(\.text).flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }
    throw .damaged(lines.first.map { "its structure is corrupt (\($0))" } ?? "its structure cannot be checked")
  }

  /// An order that this index does not find would get a second idempotency key.
  static let keptByOrder = """
    SELECT count(DISTINCT kept.id) FROM takings AS kept INDEXED BY takings_kept CROSS JOIN takings AS found
    ON found.order_id = kept.order_id WHERE kept.kept AND +found.id = kept.id
    """

  static func requestCheck(of path: String) {
    let descriptor = Foundation.open(checkRequest(of: path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func checkRequest(of path: String) -> String { path + ".check" }
}

func foreign(_ path: String, _ what: String) -> JournalError {
  JournalError(
    .foreign,
    "Cannot open the journal \(path): the file is \(what), and was not changed. Use another file, or move this one away."
  )
}

extension Database.Refusal {
  static func damaged(_ damage: String) -> Self { Self(code: SQLITE_CORRUPT, message: damage) }
}

private struct FileHeader {
  private let bytes: [UInt8]

  init(at path: String) {
    let file = FileHandle(forReadingAtPath: path)
    bytes = (try? file?.read(upToCount: 100)).map { [UInt8]($0) } ?? []
  }

  var isEmpty: Bool { bytes.isEmpty }

  var syncCount: UInt32 { bytes.count == 100 ? bytes.word(Page.syncCount) : 0 }

  /// The damage in fields that SQLite does not check.
  var damage: String? {
    guard !bytes.isEmpty else { return nil }
    // The page size, the versions, fixed numbers, the schema format, no automatic vacuum, the text encoding, and unused bytes.
    let fixed =
      bytes.count == 100 && bytes.prefix(16) == Page.magic[...] && bytes.short(16) == Page.size
      && (1...2).contains(bytes[18]) && bytes[18] == bytes[19] && bytes[20..<24] == [0, 64, 32, 32]
      && [0, 4].contains(bytes.word(44)) && bytes.word(52) == 0 && bytes.word(56) <= 1 && bytes.word(64) == 0
      && bytes[72..<92].allSatisfy { $0 == 0 }
    return fixed ? nil : "its header is corrupt"
  }
}
