import Foundation
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("A damaged journal") struct InterruptedRecoveryTests {
  let folder = Folder()

  func filled() throws -> [TakingRecord<Int>] { try folder.fill(300) }

  @Test("whose salvage was interrupted is found again") func interrupted() throws {
    let records = try filled()
    // The process died when the damaged file was put aside, and the new one not yet in its place.
    try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".salvaged")
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      #expect(journal.recovery != nil)
      #expect(try journal.journal.records() == records)
    }
    // And when the new one was not finished.
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged"))
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(journal.recovery == nil)
    #expect(try journal.journal.records() == records)
    #expect(!folder.names.contains("journal.sqlite.salvaged"))
  }

  @Test("an interrupted salvage keeps the salvaged records and ignores the damaged log")
  func interruptedWithLog() throws {
    let copy = Folder()
    try damage(copy)
    let salvaged: [TakingRecord<Int>]
    do {
      let journal = try SQLiteJournal<Int>(at: copy.file)
      salvaged = try journal.journal.records()
      #expect(journal.recovery != nil && !salvaged.isEmpty)
      journal.close()
    }
    try FileManager.default.moveItem(atPath: copy.file, toPath: copy.file + ".salvaged")
    try FileManager.default.moveItem(atPath: copy.file + ".damaged-1-wal", toPath: copy.file + "-wal")

    let journal = try SQLiteJournal<Int>(at: copy.file)
    #expect(try journal.journal.records() == salvaged)
    #expect(journal.recovery?.damagedFile == copy.file + ".damaged-1")
    #expect(copy.names.contains("journal.sqlite.damaged-1-wal") && !copy.names.contains("journal.sqlite.damaged-2"))
  }

  /// Leaves a journal whose log has a wrong bit.
  private func damage(_ copy: Folder) throws {
    _ = try filled()
    let database = try Database(at: folder.file)
    defer { database.close() }
    try database.execute(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; DELETE FROM takings WHERE id % 3 = 0")
    var log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")))
    log[log.count * 3 / 4] ^= 1
    try copy.write(try folder.bytes())
    try Data(log).write(to: URL(fileURLWithPath: copy.file + "-wal"))
  }

  @Test("is salvaged also beside the log of an earlier one whose file somebody has removed") func halfRemoved() throws {
    let copy = Folder()
    try damage(copy)
    try SQLiteJournal<Int>(at: copy.file).close()
    let salvaged = try copy.bytes()
    let (file, log) = (copy.file + ".damaged-1", copy.file + ".damaged-1-wal")
    try FileManager.default.copyItem(atPath: log, toPath: copy.file + "-wal")
    try FileManager.default.removeItem(atPath: copy.file)
    try FileManager.default.moveItem(atPath: file, toPath: copy.file)

    let journal = try SQLiteJournal<Int>(at: copy.file)
    #expect(journal.recovery?.damagedFile == copy.file + ".damaged-2")
    #expect(copy.names.contains("journal.sqlite.damaged-1-wal") && copy.names.contains("journal.sqlite.damaged-2-wal"))
    journal.close()
    #expect(try copy.bytes().count == salvaged.count)
  }

  @Test("that cannot be salvaged leaves nothing half done, so that it may be moved away") func failedSalvage() throws {
    _ = try filled()
    var bytes = try folder.bytes()
    bytes.replaceSubrange(100..<108, with: Array(repeating: 0xEE, count: 8))
    try folder.write(bytes)
    let broken = Schema(steps: Schema.current.steps + ["CREATE NONSENSE;"])
    #expect(throws: JournalError.self) { try JournalStorage.open(at: folder.file, schema: broken) }
    #expect(folder.names == ["journal.sqlite"])
    // Nor is what a process has left that died meanwhile taken for a journal.
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged-in-part"))
    try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".away")
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(try journal.recovery == nil && journal.journal.records().isEmpty)
    #expect(!folder.names.contains { $0.contains("salvaged") })
  }
}
