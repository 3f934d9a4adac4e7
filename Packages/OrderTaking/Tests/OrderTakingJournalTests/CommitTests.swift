import CSQLite
import Dispatch
import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

/// The statements of a journal, which it can stop before a commit.
final class Trace: Sendable {
  private let statements = Locked<[String]>([])
  private let isBlocked = Locked(false)
  private let semaphore = DispatchSemaphore(value: 0)

  init(of journal: SQLiteJournal) async throws {
    let context = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    _ = try await journal.writer.enqueue(.read) { database in
      sqlite3_trace_v2(
        database.connection, UInt32(SQLITE_TRACE_STMT),
        { _, context, _, sql in
          guard let context, let sql else { return 0 }
          let text = String(cString: sql.assumingMemoryBound(to: CChar.self))
          Unmanaged<Trace>.fromOpaque(context).takeUnretainedValue().receive(text)
          return 0
        }, UnsafeMutableRawPointer(bitPattern: context))
    }.get()
  }

  private func receive(_ sql: String) {
    statements.withLock { $0.append(sql.trimmingCharacters(in: CharacterSet(charactersIn: " ;"))) }
    if sql.hasPrefix("COMMIT"), isBlocked.withLock({ $0 }) { semaphore.wait() }
  }

  /// Stops the next commit until the returned function is called.
  func block() -> @Sendable () -> Void {
    isBlocked.withLock { $0 = true }
    return {
      self.isBlocked.withLock { $0 = false }
      self.semaphore.signal()
    }
  }

  /// The commits since the last call, each with its level of `synchronous`.
  func commits() -> [String] {
    let all = statements.withLock { statements in
      defer { statements = [] }
      return statements
    }
    var (commits, level) = ([String](), "")
    for sql in all {
      if sql.hasPrefix("PRAGMA synchronous=") { level = String(sql.dropFirst(19)) }
      if sql == "COMMIT" { commits.append(level) }
    }
    return commits
  }
}

@Suite("Commits of a journal") struct CommitTests {
  let folder = Folder()

  @Test("a slow disk blocks no caller, and all writes that wait for it share the next commit") func groups()
    async throws
  {
    let journal = try folder.open()
    let trace = try await Trace(of: journal)
    let release = trace.block()
    let first = journal.journal.write(record(0))
    let others = (1...64).map { journal.journal(of: Name($0 % 8)).write(record($0)) }
    #expect(!first.isCompleted && others.allSatisfy { !$0.isCompleted })
    release()
    for other in others { try await other.get() }
    #expect(first.isSuccess)
    // The first commit contains the writes before the start of the thread.
    #expect((1...2).contains(trace.commits().count))
    try await journal.close().get()
  }

  @Test("only checkpoints that must survive a power failure sync the disk") func syncs() async throws {
    let journal = try folder.open()
    let trace = try await Trace(of: journal)
    let steps: [(TakingRecord, String)] = [
      (record(1), "FULL"), (record(1, .acknowledged), "NORMAL"), (record(1, .accepted), "NORMAL"),
      (record(1, .ended(.accepted(hasDetails: true))), "NORMAL"),
      (record(2, .ended(.declined(reason: "late"))), "FULL"),
    ]
    for (next, level) in steps {
      try await journal.journal.write(next).get()
      #expect(trace.commits() == [level], "\(next.checkpoint)")
    }
    try await journal.journal.acknowledge(steps[3].0).get()
    #expect(trace.commits() == ["NORMAL"])
    _ = try await journal.orders()
    #expect(trace.commits() == [])
    let settings = try await journal.writer.enqueue(.read) { database in
      try ["fullfsync", "checkpoint_fullfsync", "journal_mode"].map { try database.query("PRAGMA \($0)").first?.first }
    }.get()
    #expect(settings == [.integer(1), .integer(1), .text("wal")])
    try await journal.close().get()
  }

  @Test("a write that fails alone does not fail the other writes of its group") func innocent() async throws {
    let journal = try folder.open()
    try await journal.writer.enqueue(.read) { database in
      try database.execute(
        "CREATE TEMP TRIGGER no BEFORE INSERT ON takings WHEN new.order_id = '13' "
          + "BEGIN SELECT raise(ABORT, 'unlucky'); END")
    }.get()
    let results = (10..<20).map { journal.journal.write(record($0)) }
    for result in results { _ = await error(result) }
    #expect(results.map(\.isSuccess) == (10..<20).map { $0 != 13 })
    #expect(results[3].error?.kind == .storage)
    #expect(try await journal.orders().count == 9)
  }

  @Test("reading, listing one state, due records and the retention do not scan the table") func indexes() async throws {
    let journal = try folder.open(retention: Journal.standardRetention)
    for order in 0..<20 { _ = journal.journal.write(record(order)) }
    _ = journal.journal.record("1")
    _ = journal.journal.dueRecords(256, [])
    _ = journal.journal.acknowledge(record(1))
    let after = ListedRecord.ID(driver: "driver", order: "1")
    _ = journal.storage.list(RecordQuery(states: [.unknown, .unfinished], after: after))
    _ = journal.storage.list(RecordQuery(after: after))
    let scans = try await journal.writer.enqueue(.read) { database in
      var scans: [String] = []
      var statement: OpaquePointer?
      while let next = sqlite3_next_stmt(database.connection, statement) {
        statement = next
        let steps = sqlite3_stmt_status(next, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)
        let isOfOpening = String(cString: sqlite3_sql(next)).contains("sqlite_schema")
        if steps > 1, !isOfOpening { scans.append(String(cString: sqlite3_sql(next))) }
      }
      return scans
    }.get()
    #expect(scans == [])
    try await journal.close().get()
  }

  // MARK: Faults of the disk

  @Test("a full disk fails the write, stores nothing, and later writes succeed") func fullDisk() async throws {
    let journal = try folder.open()
    try await journal.journal.write(record(0)).get()
    WriteFaults.set(.init(code: ENOSPC, failures: 3), for: folder.log)
    let failed = await error(journal.journal.write(record(1)))
    #expect(failed?.kind == .storage)
    #expect(failed?.description.hasSuffix("Free disk space, or use a file on another disk.") == true)
    WriteFaults.set(nil, for: folder.log)
    #expect(try await journal.orders() == ["0"])
    try await journal.journal.write(record(2)).get()
    try await journal.close().get()
    #expect(try await folder.open().orders() == ["0", "2"])
  }

  @Test(
    "after a failed commit the outcome is unknown, and a read is final: a process after a power failure reads the same",
    arguments: [false, true])
  func failedCommit(writes: Bool) async throws {
    for successes in 0..<20 {
      let folder = Folder()
      let journal = try folder.open()
      try await journal.journal.write(record(0)).get()
      WriteFaults.set(.init(successes: successes, writes: writes), for: folder.log)
      guard let failed = await error(journal.journal.write(record(1))) else {
        #expect(successes > 2)
        WriteFaults.set(nil, for: folder.log)
        return
      }
      #expect(failed.kind == .unknownOutcome || failed.kind == .storage)
      #expect(failed.description.hasSuffix("Check the disk and its free space."))
      let oldLog = try folder.bytes(of: folder.log)
      let found = try await journal.journal.record("1").get()
      #expect(found == nil || failed.kind == .unknownOutcome)
      // A power failure can undo that the log was made shorter.
      let log = try folder.bytes(of: folder.log)
      for log in [log, log + oldLog.dropFirst(log.count)] {
        let copy = Folder()
        try copy.write(folder.bytes(of: folder.file), to: copy.file)
        try copy.write(log, to: copy.log)
        #expect(try await copy.open().journal.record("1").get() == found, "after \(successes) writes")
      }
      try await journal.journal.write(record(2)).get()
      try await journal.close().get()
      #expect(try await folder.open().orders() == (found == nil ? ["0", "2"] : ["0", "1", "2"]))
    }
    Issue.record("every commit failed")
  }

  @Test("while the disk fails after a failed commit, nothing is read or written") func stillFailing() async throws {
    let journal = try folder.open()
    try await journal.journal.write(record(0)).get()
    for path in [folder.log, folder.file] { WriteFaults.set(.init(failures: .max), for: path) }
    #expect(await kind(journal.journal.write(record(1))) == .unknownOutcome)
    for _ in 0..<2 {
      #expect(await kind(journal.journal.record("1")) == .storage)
      #expect(await kind(journal.journal.write(record(2))) == .storage)
    }
    for path in [folder.log, folder.file] { WriteFaults.set(nil, for: path) }
    #expect(try await journal.orders() == ["0"])
    try await journal.journal.write(record(2)).get()
    try await journal.close().get()
    #expect(try await folder.open().orders() == ["0", "2"])
  }

  @Test("many threads can use a journal") func threads() async throws {
    let journal = try folder.open()
    await hammer(threads: 4) { thread, _ in
      for round in 0..<25 {
        _ = journal.journal.write(record(thread * 100 + round))
        _ = journal.storage.summary()
      }
    }
    #expect(try await journal.orders().count == 100)
  }
}
