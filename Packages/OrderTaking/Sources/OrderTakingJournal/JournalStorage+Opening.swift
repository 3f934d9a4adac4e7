internal import CSQLite
internal import Foundation
internal import OrderTaking

// How a journal's file is opened, brought up to date, and found to be damaged.

extension JournalStorage {
  /// Opens a file, and makes it when there is none; what is damaged is put aside and salvaged.
  static func open(
    at path: String, schema: Schema = .current
  ) throws(JournalError) -> (storage: JournalStorage, recovery: JournalRecovery?) {
    // SQLite takes these for something else than a file's name.
    guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
      throw JournalError(
        .storage,
        "Cannot open a journal at \"\(path)\": SQLite does not read this as a file name. Use a path such as ./orders.sqlite."
      )
    }
    guard Database.mayBe(at: path) else {
      throw JournalError(.storage, "Cannot open a journal at \"\(path)\": it is not a regular file. Use another path.")
    }
    // Before anything is looked at: what another process is salvaging must not be salvaged, nor be taken for whole.
    let lock = try JournalLock(of: path)
    let recovery = Recovery(of: path, schema)
    let interrupted = try recovery.finishInterrupted()
    // SQLite would drop the records behind a damaged frame, and say nothing.
    if let damage = WriteAheadLog.damage(at: path + "-wal") {
      let report = try recovery.run(damage, releasing: nil, isCounted: false)
      return (try reopen(at: path, schema, lock), report)
    }
    switch try openUnlessDamaged(at: path, schema: schema, lock) {
    case .whole(let storage):
      guard let aside = interrupted else { return (storage, nil) }
      return (storage, .interrupted(salvaged: try storage.rows().count, damagedFile: aside))
    case .damaged(let damage, let database):
      let report = try recovery.run(damage, releasing: database)
      return (try reopen(at: path, schema, lock), report)
    }
  }

  private static func reopen(
    at path: String, _ schema: Schema, _ lock: JournalLock
  ) throws(JournalError) -> JournalStorage {
    guard case .whole(let storage) = try openUnlessDamaged(at: path, schema: schema, lock) else {
      throw JournalError(.damaged, "Cannot open the journal \(path): the salvaged file is damaged too. Check the disk.")
    }
    return storage
  }

  private enum Opened {
    case whole(JournalStorage)
    /// What is wrong with the file, and the connection that still locks it, when there is one.
    case damaged(String, Database?)
  }

  private static func openUnlessDamaged(
    at path: String, schema: Schema, _ lock: JournalLock
  ) throws(JournalError) -> Opened {
    // SQLite takes a file of one byte for an empty one.
    guard (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int != 1 else {
      return .damaged("the file has only one byte", nil)
    }
    let database: Database
    do {
      database = try lockedDatabase(at: path, schema)
    } catch let error as JournalError {
      throw error
    } catch let refusal as Database.Refusal {
      guard refusal.isDamage else { throw journalError(refusal, "open", path) }
      return .damaged(refusal.message, nil)
    } catch {
      throw JournalError(.storage, "Cannot open the journal \(path): \(error)")
    }
    do { try migrate(database, at: path, to: schema) } catch {
      switch error {
      case .tooNew(let error): throw error
      case .refused(let refusal):
        guard refusal.isDamage else { throw journalError(refusal, "upgrade", path) }
        return .damaged(refusal.message, database)
      }
    }
    return damage(in: database, schema).map { .damaged($0, database) }
      ?? .whole(JournalStorage(database, at: path, lock: lock))
  }

  /// Opens and locks the file.
  ///
  /// - Throws: `Database.Refusal`, or a `JournalError` of kind `foreign` for the database of another program, which is not
  ///   changed.
  private static func lockedDatabase(at path: String, _ schema: Schema) throws -> Database {
    let database = try Database(at: path)
    // The file may have been written by anybody: what is in its schema calls nothing, and its pages are looked at twice.
    try database.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    // Exclusive before the first look at the file, so that it is never shared, and the lock stays.
    try database.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    let found = try declarations(in: database)
    guard isOwn(found, schema) else {
      database.close()
      let isServer = ["orders", "stream"].allSatisfy { name in
        found.contains { $0.prefix(2) == [.text("table"), .text(name)] }
      }
      throw foreign(path, isServer ? "the state of an order server" : "another program's database")
    }
    try database.query("PRAGMA journal_mode=WAL")
    // On Apple's platforms, only a full fsync also empties the cache of the disk.
    try database.query("PRAGMA fullfsync=ON")
    try database.query("PRAGMA checkpoint_fullfsync=ON")
    try database.execute("PRAGMA synchronous=FULL; BEGIN EXCLUSIVE; COMMIT")
    return database
  }

  /// Whether a file declares nothing yet, or anything that a journal declares: it is one, if somebody has not changed it.
  private static func isOwn(_ found: [[Database.Value]], _ schema: Schema) -> Bool {
    let own = schema.declarations
    // In the same words: a table of the same name may be anybody's. What SQLite declares by itself has no words.
    return found.isEmpty || found.contains { $0.last != .null && own.contains($0) }
  }

  enum MigrationFailure: Error {
    case refused(Database.Refusal)
    case tooNew(JournalError)
  }

  /// Goes the steps that the file has not gone, each as a whole or not at all.
  static func migrate(_ database: Database, at path: String, to schema: Schema) throws(MigrationFailure) {
    do {
      guard case .integer(let number)? = try database.query("PRAGMA user_version").first?.first else { return }
      let version = Int(clamping: number)
      guard (0...schema.steps.count).contains(version) else { throw tooNew(path, version, schema) }
      // One wrong bit in the version, and the steps would be gone again from where they were not.
      if version < schema.steps.count {
        let expected = Schema(steps: Array(schema.steps.prefix(version))).declarations
        guard try declarations(in: database) == expected else {
          throw Database.Refusal(code: SQLITE_CORRUPT, message: "its tables do not match its version")
        }
      }
      for (index, step) in schema.steps.enumerated().dropFirst(version) {
        try database.execute("BEGIN IMMEDIATE; \(step) PRAGMA user_version = \(index + 1); COMMIT")
      }
    } catch let refusal as Database.Refusal {
      throw .refused(refusal)
    } catch let failure as MigrationFailure {
      throw failure
    } catch {
      throw .refused(Database.Refusal(code: 1, message: "\(error)"))
    }
  }

  private static func tooNew(_ path: String, _ version: Int, _ schema: Schema) -> MigrationFailure {
    .tooNew(
      JournalError(
        .tooNew,
        "Cannot open the journal \(path): it has version \(version), and this release reads versions up to "
          + "\(schema.steps.count). Use a newer release, or another file."))
  }

  /// What is wrong with the file, or `nil` when it is whole.
  private static func damage(in database: Database, _ schema: Schema) -> String? {
    do {
      // First of all: a table that is none can keep whoever reads it busy for ever.
      guard try declarations(in: database) == schema.declarations else {
        return "its tables are not the tables of a journal"
      }
      let findings = try database.query("PRAGMA integrity_check(5)").flatMap(\.self)
      guard findings == [.text("ok")] else {
        guard case .text(let finding)? = findings.first else { return "its structure cannot be checked" }
        return finding
      }
      var wrong = 0
      try database.each(Salvage.selection) { if Salvage.row($0) == nil { wrong += 1 } }
      return wrong == 0 ? nil : "\(wrong) records are corrupt"
    } catch {
      return error.message
    }
  }

  /// The tables, triggers and whatever else a file declares, in the words in which it was declared.
  fileprivate static func declarations(in database: Database) throws(Database.Refusal) -> [[Database.Value]] {
    try database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
  }
}

extension Schema {
  /// What a file declares that has gone all steps, or nothing that any file has when there is no telling.
  fileprivate var declarations: [[Database.Value]] {
    guard let database = try? Database(at: ":memory:") else { return [[]] }
    defer { database.close() }
    for step in steps { guard (try? database.execute(step)) != nil else { return [[]] } }
    return (try? JournalStorage.declarations(in: database)) ?? [[]]
  }
}
