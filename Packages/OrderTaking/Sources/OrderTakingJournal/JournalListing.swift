internal import Foundation
internal import OrderTaking

/// Reads a journal that another process may have open.
///
/// It changes no file. If the journal is closed at the same moment, SQLite may create an empty log beside it, which has no
/// effect.
enum JournalListing {
  /// In one process, SQLite's connections to a file share the index of the log.
  ///
  /// If a listing opened the index first, the index would be read-only for the journal too.
  static let isolation = NSLock()

  static func read<Value>(
    _ path: String, _ body: (JournalStorage) throws -> Value
  ) throws(JournalError) -> Value {
    let path = try JournalStorage.file(at: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw JournalError(.storage, "Cannot read the journal \(path): the file does not exist. Check the path.")
    }
    var deadline: ContinuousClock.Instant?
    while true {
      let before = State(of: path)
      do {
        let value = try isolation.withLock { try read(path, hasLog: before.hasLog, body) }
        // SQLite protects a reader through the log. Without a log, the file must not have changed during the read.
        if before.hasLog || State(of: path) == before { return value }
      } catch {
        // The owner may have closed or opened the journal during the read, even if the state looks the same.
        let isLasting = State(of: path) == before && (error as? Database.Refusal)?.isMissingFile != true
        let end = deadline ?? .now + .seconds(1)
        if isLasting || .now > end { throw journalError(error, "read", path) }
        deadline = end
        // The owner needs the processor to finish.
        usleep(1000)
      }
    }
  }

  private static func read<Value>(
    _ path: String, hasLog: Bool, _ body: (JournalStorage) throws -> Value
  ) throws -> Value {
    let database = try Database(at: path, hasLog ? .readOnly : .immutable)
    try database.execute("PRAGMA busy_timeout=1000; PRAGMA trusted_schema=OFF; BEGIN")
    let schema = Schema.current
    guard try JournalStorage.isOwn(JournalStorage.declarations(in: database), schema) else {
      throw foreign(path, "not a journal")
    }
    let version = try JournalStorage.version(of: database)
    guard version <= schema.steps.count else { throw JournalStorage.tooNew(path, version, schema) }
    guard version == schema.steps.count else {
      throw JournalError(
        .storage,
        "Cannot read the journal \(path): an earlier release wrote it. Open it once with this release, which upgrades it."
      )
    }
    return try body(JournalStorage(database, at: path))
  }

  private struct State: Equatable {
    let hasLog: Bool
    let changed: Date?

    init(of path: String) {
      // An empty log has no index, without which SQLite cannot read it.
      var log = stat()
      hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
      changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
  }
}
