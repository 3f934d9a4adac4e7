import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

final class Disk: Sendable {
  typealias Refusal = Database.Refusal

  private let statements = Locked<[String]>([])
  private let fault = Locked<Database.Hook?>(nil)

  var hook: Database.Hook {
    { sql, run throws(Refusal) in
      self.statements.withLock { $0.append(sql) }
      guard let fault = self.fault.withLock({ $0 }) else { return try run() }
      try fault(sql, run)
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

  func setFault(_ hook: Database.Hook?) { fault.withLock { $0 = hook } }

  func block() -> @Sendable () -> Void {
    let semaphore = DispatchSemaphore(value: 0)
    setFault { sql, run throws(Refusal) in
      if sql == "COMMIT" {
        semaphore.wait()
        semaphore.signal()
      }
      try run()
    }
    return { semaphore.signal() }
  }
}

private let syncError = Database.Refusal(code: 1_034, message: "disk I/O error")

@Suite("Group commits of a journal") struct GroupCommitTests {
  let folder = Folder()
  let disk = Disk()

  @Test("a synced commit empties the cache of the disk, on Apple's platforms too") func fullSync() async throws {
    let journal = try folder.open()
    let settings = ["fullfsync", "checkpoint_fullfsync", "synchronous"]
    let found = try await journal.writer.enqueue(.syncedWrite) { storage in
      try settings.map { try storage.database.query("PRAGMA \($0)").first?.first }
    }.get()
    #expect(found == [.integer(1), .integer(1), .integer(2)])
  }

  @Test("a slow disk blocks no caller, and all writes that wait for it share the next commit") func groups()
    async throws
  {
    let journal = try folder.open(hook: disk.hook)
    _ = disk.commits()
    let release = disk.block()
    let first = journal.journal.write(record(0))
    // These writes begin while the first one waits for the disk.
    let others = (1...64).map { journal.journal.write(record($0)) }
    #expect(!first.isCompleted && others.allSatisfy { !$0.isCompleted })
    release()
    for other in others { try await other.get() }
    #expect(first.isSuccess)
    // The first commit contains the writes before the start of the thread.
    #expect((1...2).contains(disk.commits().count))
  }

  @Test("the futures of a journal complete in the order of the calls") func order() async throws {
    let journal = try folder.open(hook: disk.hook)
    let release = disk.block()
    let completed = Locked<[Int]>([])
    var last = journal.journal.write(record(0))
    for order in 1...100 {
      // A mapped future completes after its function. A wait for the future itself could end before its callback.
      last = journal.journal.write(record(order))
        .map(immediateExecutionContext) { completed.withLock { $0.append(order) } }
    }
    release()
    try await last.get()
    #expect(completed.withLock { $0 } == Array(1...100))
  }

  @Test("only checkpoints that must survive a power failure sync the disk") func syncs() async throws {
    let journal = try folder.open(hook: disk.hook)
    _ = disk.commits()
    try await journal.journal.write(record(1)).get()
    #expect(disk.commits() == ["FULL"])
    let end = record(1, .ended(.accepted(hasDetails: true)))
    for next in [record(1, .acknowledged), record(1, .accepted), end] {
      try await journal.journal.write(next).get()
      #expect(disk.commits() == ["NORMAL"])
    }
    try await journal.journal.acknowledge(end).get()
    #expect(disk.commits() == ["NORMAL"])
    _ = try await journal.records().get()
    #expect(disk.commits() == [])
    try await journal.journal.write(record(2, .ended(.declined(reason: "late")))).get()
    #expect(disk.commits() == ["FULL"])
  }

  @Test("a read returns every write that was called before it") func readYourWrites() async throws {
    let journal = try folder.open(hook: disk.hook)
    let release = disk.block()
    _ = journal.journal.write(record(0))
    let before = journal.journal.record(1)
    _ = journal.journal.write(record(1))
    let after = journal.journal.record(1)
    let open = journal.journal.openRecords()
    _ = journal.journal.write(record(1, .accepted))
    release()
    #expect(try await before.get() == nil)
    #expect(try await after.get() == record(1))
    #expect(try await open.get() == [record(0), record(1)])
    #expect(try await journal.journal.record(1).get() == record(1, .accepted))
  }

  @Test("a write that fails does not fail the other writes of its group", arguments: ["ABORT", "ROLLBACK"])
  func innocent(action: String) async throws {
    let journal = try folder.open(hook: disk.hook)
    try await journal.writer.enqueue(.read) { storage in
      try? storage.database.execute(
        "CREATE TEMP TRIGGER no BEFORE INSERT ON takings WHEN new.order_id = '13' "
          + "BEGIN SELECT raise(\(action), 'unlucky'); END")
    }.get()
    let release = disk.block()
    _ = journal.journal.write(record(0))
    let results = (10..<20).map { journal.journal.write(record($0)) }
    let read = journal.journal.record(12)
    release()
    #expect(try await read.get() == record(12))
    for result in results { _ = try? await result.get() }
    #expect(results.map(\.isSuccess) == (10..<20).map { $0 != 13 })
    #expect(results[3].error?.kind == .storage)
    #expect(results[3].error?.description.hasPrefix("Cannot write the journal \(folder.file): unlucky") == true)
    journal.close()
    #expect(try await folder.open().records().get().map(\.intent.order) == [0] + (10..<20).filter { $0 != 13 })
  }

  @Test(
    "after a failed sync the outcome is unknown, and a read returns what a later process reads",
    arguments: [true, false])
  func unknownOutcome(isStored: Bool) async throws {
    let journal = try folder.open(hook: disk.hook)
    try await journal.journal.write(record(0)).get()
    disk.setFault { [disk] sql, run throws(Database.Refusal) in
      guard sql == "COMMIT" else { return try run() }
      disk.setFault(nil)
      if isStored { try run() }
      throw syncError
    }
    let (write, read) = (journal.journal.write(record(1)), journal.journal.record(1))
    let error = await #expect(throws: JournalError.self) { try await write.get() }
    #expect(error?.kind == .unknownOutcome)
    #expect(
      error?.description == "Cannot write the journal \(folder.file): disk I/O error (SQLite 1034). The record may be "
        + "stored. Check the disk and its free space.")
    #expect(try await read.get() == (isStored ? record(1) : nil))
    // A synced transaction and a checkpoint have ended the uncertainty.
    #expect(disk.commits().last == "FULL")
    try await journal.journal.write(record(2)).get()
    let copy = Folder()
    try copy.write(folder.bytes())
    try copy.writeLog(folder.logBytes())
    let expected = isStored ? [0, 1, 2] : [0, 2]
    #expect(try await copy.open().records().get().map(\.intent.order) == expected)
  }

  @Test("as long as the file cannot be opened after a failed sync, nothing is read or written") func stillFailing()
    async throws
  {
    let journal = try folder.open(hook: disk.hook)
    disk.setFault { sql, run throws(Database.Refusal) in
      if sql == "COMMIT" { throw syncError }
      try run()
    }
    let unknown = await #expect(throws: JournalError.self) { try await journal.journal.write(record(1)).get() }
    #expect(unknown?.kind == .unknownOutcome)
    for _ in 0..<2 {
      let read = await #expect(throws: JournalError.self) { try await journal.journal.record(1).get() }
      #expect(read?.kind == .storage)
      let write = await #expect(throws: JournalError.self) { try await journal.journal.write(record(2)).get() }
      #expect(write?.kind == .storage)
    }
    disk.setFault(nil)
    #expect(try await journal.records().get() == [])
    try await journal.journal.write(record(2)).get()
    #expect(try await journal.records().get() == [record(2)])
  }

  @Test("if the disk is full before the commit, nothing is stored, and smaller writes succeed") func diskFull()
    async throws
  {
    let journal = try folder.open()
    try await journal.writer.enqueue(.read) { storage in
      guard case .integer(let pages)? = (try? storage.database.query("PRAGMA page_count"))?.first?.first else { return }
      _ = try? storage.database.query("PRAGMA max_page_count=\(pages + 1)")
    }.get()
    let large = journal.journal.write(record(1, body: Array(repeating: 1, count: 20_000)))
    let small = journal.journal.write(record(2))
    let error = await #expect(throws: JournalError.self) { try await large.get() }
    #expect(error?.kind == .storage)
    #expect(error?.description.contains("Free disk space, or use a file on another disk.") == true)
    try await small.get()
    #expect(try await journal.records().get() == [record(2)])
  }

  @Test("if the disk is full at the commit, nothing is stored") func diskFullAtCommit() async throws {
    let journal = try folder.open(hook: disk.hook)
    disk.setFault { sql, run throws(Database.Refusal) in
      if sql == "COMMIT" { throw Database.Refusal(code: 13, message: "database or disk is full") }
      try run()
    }
    let writes = (0..<3).map { journal.journal.write(record($0)) }
    for write in writes {
      let error = await #expect(throws: JournalError.self) { try await write.get() }
      #expect(error?.kind == .storage)
    }
    disk.setFault(nil)
    #expect(try await journal.records().get() == [])
  }
}
