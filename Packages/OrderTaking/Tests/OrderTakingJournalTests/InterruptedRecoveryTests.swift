import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("An interrupted recovery") struct InterruptedRecoveryTests {
  let folder = Folder()

  /// Recovers a journal with a flipped bit in its log, and then undoes the last moves of files.
  private func interrupt() async throws -> [TakingRecord<Int>] {
    try await damageLog()
    let journal = try folder.open()
    let salvaged = try await journal.records().get()
    #expect(journal.recovery != nil && !salvaged.isEmpty)
    journal.close()
    try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".salvaged")
    return salvaged
  }

  private func damageLog() async throws {
    let other = Folder()
    let journal = try other.open()
    for order in 0..<20 { try await journal.journal.write(record(order)).get() }
    var log = try other.logBytes()
    log[log.count / 2] ^= 1
    try folder.write(other.bytes())
    try folder.writeLog(log)
  }

  @Test("the next opening finishes a recovery that created the new file, and reports the loss") func notMoved()
    async throws
  {
    let salvaged = try await interrupt()
    let journal = try folder.open()
    #expect(try await journal.records().get() == salvaged)
    #expect(journal.recovery?.damagedFile == folder.file + ".damaged-1")
    #expect(journal.unacknowledgedLoss != nil)
  }

  @Test("the log of the damaged file is not applied to the new file") func logNotMoved() async throws {
    let salvaged = try await interrupt()
    try FileManager.default.moveItem(atPath: folder.file + ".damaged-1-wal", toPath: folder.log)
    let journal = try folder.open()
    #expect(try await journal.records().get() == salvaged)
    #expect(folder.names.contains("journal.sqlite.damaged-1-wal") && !folder.names.contains("journal.sqlite.damaged-2"))
  }

  @Test("an opening discards the new file of a recovery that has not moved the old file") func notMovedAside()
    async throws
  {
    let records = try await folder.fill(10)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged"))
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get() == records)
    #expect(!folder.names.contains("journal.sqlite.salvaged"))
  }

  @Test("a second recovery does not overwrite the log of an earlier damaged file") func halfRemoved() async throws {
    try await damageLog()
    try folder.open().close()
    let (file, log) = (folder.file + ".damaged-1", folder.file + ".damaged-1-wal")
    try FileManager.default.copyItem(atPath: log, toPath: folder.log)
    try FileManager.default.removeItem(atPath: folder.file)
    try FileManager.default.moveItem(atPath: file, toPath: folder.file)
    let journal = try folder.open()
    #expect(journal.recovery?.damagedFile == folder.file + ".damaged-2")
    #expect(folder.names.contains("journal.sqlite.damaged-1-wal"))
    #expect(folder.names.contains("journal.sqlite.damaged-2-wal"))
  }

  @Test("a failed recovery leaves only the damaged file") func failed() async throws {
    _ = try await folder.fill(10)
    var bytes = try folder.bytes()
    bytes.replaceSubrange(100..<108, with: Array(repeating: 0xEE, count: 8))
    try folder.write(bytes)
    let wrong = Schema(steps: Schema.current.steps + ["CREATE NONSENSE;"])
    #expect(throws: JournalError.self) { try JournalStorage.open(at: folder.file, schema: wrong) }
    #expect(folder.names == ["journal.sqlite"])
    // The incomplete file of a process that was killed is removed too.
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged-in-part"))
    try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".away")
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get().isEmpty)
    #expect(!folder.names.contains { $0.contains("salvaged") })
  }
}
