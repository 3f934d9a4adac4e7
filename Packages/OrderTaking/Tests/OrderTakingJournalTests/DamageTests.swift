import Dispatch
import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

@Suite("A damaged or removed journal") struct DamageTests {
  let folder = Folder()
  let records = (0..<60).map { record($0, body: Array(repeating: UInt8($0), count: 200)) }

  /// Leaves the files of a process that was killed: the last records are only in the log.
  func crash() async throws {
    let journal = try folder.open()
    for written in records.map({ journal.journal.write($0) }) { try await written.get() }
    let (file, log) = (try folder.bytes(of: folder.file), try folder.bytes(of: folder.log))
    try await journal.close().get()
    try folder.write(file, to: folder.file)
    try folder.write(log, to: folder.log)
  }

  func noise(_ range: Range<Int>, in path: String) throws {
    var bytes = try folder.bytes(of: path)
    for place in range { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
    try folder.write(bytes, to: path)
  }

  @Test("after a crash the journal has all records") func crashed() async throws {
    try await crash()
    #expect(try await folder.open().orders().count == 60)
  }

  @Test("damage after a crash moves the files aside, and the next opening starts an empty journal") func afterCrash()
    async throws
  {
    try await folder.fill(records)
    try await crash()
    try noise(4_096 * 4..<4_096 * 12, in: folder.file)
    let (file, log) = (try folder.bytes(of: folder.file), try folder.bytes(of: folder.log))
    let failure = error { try folder.open() }
    #expect(failure?.kind == .damaged)
    let moved = folder.file + ".damaged-1"
    #expect(
      failure?.description.contains("It was moved to \(moved). Opening the journal again starts an empty one.") == true)
    #expect(
      failure?.description.hasSuffix("Take each unfinished order again, which finds its outcome through the server.")
        == true)
    #expect(folder.names == ["takings.sqlite.damaged-1", "takings.sqlite.damaged-1-wal"])
    #expect(try folder.bytes(of: moved) == file && folder.bytes(of: moved + "-wal") == log)
    #expect(try await folder.open().orders() == [])
  }

  @Test("damage of a closed journal is found by the first call that reads it") func atRead() async throws {
    try await folder.fill(records)
    let size = try folder.bytes(of: folder.file).count
    try noise(4_096 * 3..<size, in: folder.file)
    let journal = try folder.open()
    #expect(await kind(journal.journal.record("3")) == .damaged)
    #expect(folder.names.contains("takings.sqlite.damaged-1"))
    // A write would be confirmed in a file that the next process does not open.
    #expect(await kind(journal.journal.write(record(99))) == .moved)
    try await journal.close().get()
    #expect(try await folder.open().orders() == [])
    #expect(folder.names.contains("takings.sqlite.damaged-1"))
  }

  @Test("a write in the same group as a read of a damaged page is not confirmed") func damageInGroup() async throws {
    try await folder.fill(records)
    // A page that SQLite has divided still contains the bytes of the records that it has moved.
    let places = try folder.bytes(of: folder.file).ranges(of: Data("\"order\":\"30\"".utf8))
    for page in places.map({ $0.lowerBound / 4_096 * 4_096 }) { try noise(page..<page + 4_096, in: folder.file) }
    let journal = try folder.open()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let go = DispatchSemaphore(value: 0)
    _ = journal.writer.enqueue(.read) { _ in
      begin.yield()
      go.wait()
    }
    // The calls while the writer is busy are the next group.
    for await _ in begun { break }
    let (write, read) = (journal.journal.write(record(99)), journal.journal.record("30"))
    go.signal()
    #expect(await kind(write) == .damaged)
    #expect([.damaged, .moved].contains(await kind(read)))
    try await journal.close().get()
  }

  @Test("a log without its file is moved aside, not deleted") func onlyLog() async throws {
    try await crash()
    try FileManager.default.removeItem(atPath: folder.file)
    let log = try folder.bytes(of: folder.log)
    #expect(kind { try folder.open() } == .damaged)
    #expect(try folder.bytes(of: folder.file + ".damaged-1-wal") == log)
    #expect(try await folder.open().orders() == [])
  }

  // MARK: Removal

  @Test(
    "no record is confirmed after the file or its log was removed, moved, replaced or truncated",
    arguments: ["rm", "rm-log", "truncate-log", "mv", "replace", "rm-folder"])
  func removed(how: String) async throws {
    let journal = try folder.open()
    if how != "rm-log" { try await journal.journal.write(record(1)).get() }
    switch how {
    case "rm": try FileManager.default.removeItem(atPath: folder.file)
    case "truncate-log": truncate(folder.log, 0)
    case "rm-log": try FileManager.default.removeItem(atPath: folder.log)
    case "mv": try folder.move(folder.file, to: folder.path + "/moved.sqlite")
    case "replace":
      try folder.write(folder.bytes(of: folder.file), to: folder.file + ".new")
      rename(folder.file + ".new", folder.file)
    default: try FileManager.default.removeItem(atPath: folder.path)
    }
    let failed = await error(journal.journal.write(record(2)))
    #expect(failed?.kind == .moved)
    #expect(failed?.description.contains(folder.file) == true)
    #expect(await kind(journal.journal.record("1")) == .moved)
    try await journal.close().get()
  }

  @Test("closing a moved journal leaves the log of its successor") func successor() async throws {
    let journal = try folder.open()
    try await journal.journal.write(record(1)).get()
    try folder.move(folder.file, to: folder.path + "/moved.sqlite")
    try folder.move(folder.log, to: folder.path + "/moved.sqlite-wal")
    let successor = try folder.open()
    try await successor.journal.write(record(2)).get()
    try await journal.close().get()
    #expect(folder.names.contains("takings.sqlite-wal"))
    try await successor.journal.write(record(3)).get()
    try await successor.close().get()
    #expect(try await folder.open().orders() == ["2", "3"])
  }
}
