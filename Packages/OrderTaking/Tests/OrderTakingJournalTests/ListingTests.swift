import TestSupport
import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("Reading a journal that may be in use") struct ListingTests {
  let folder = Folder()

  @Test("the records of an open journal are listed with the last write") func open() async throws {
    let journal = try folder.open()
    for order in 0..<20 {
      try await journal.journal.write(record(order)).get()
      #expect(try SQLiteJournal<Int>.records(at: folder.file).count == order + 1)
    }
    #expect(try SQLiteJournal<Int>.records(at: folder.file) == (0..<20).map { record($0) })
    let copy = try SQLiteJournal<String>.records(at: folder.file, decode: { "order \($0)" })
    #expect(copy.map(\.intent.order) == (0..<20).map { "order \($0)" })
    journal.close()
  }

  @Test("the records of a closed journal are listed, and no file is created") func closed() async throws {
    let records = try await folder.fill(50)
    let bytes = try folder.bytes()
    #expect(try SQLiteJournal<Int>.records(at: folder.file) == records)
    #expect(try folder.names == ["journal.sqlite"] && folder.bytes() == bytes)
    #expect(try SQLiteJournal<Int>.records(at: "/" + folder.file) == records)
  }

  @Test("an empty log, which a listing can leave beside a journal that is being closed, is ignored")
  func emptyLog() async throws {
    let records = try await folder.fill(3)
    try Data().write(to: URL(fileURLWithPath: folder.file + "-wal"))
    #expect(try SQLiteJournal<Int>.records(at: folder.file) == records)
    let journal = try folder.open()
    #expect(try await journal.records().get() == records)
    journal.close()
  }

  @Test("listing while another thread writes never fails or misses a confirmed record", .timeLimit(.minutes(1)))
  func concurrent() async throws {
    let folder = folder
    let confirmed = Locked(0)
    let isFinished = Locked(false)
    async let writing: Void = {
      defer { isFinished.withLock { $0 = true } }
      for round in 0..<4 {
        let journal = try folder.open()
        for order in round * 60..<(round + 1) * 60 {
          try await journal.journal.write(record(order, body: Array(repeating: 1, count: 50))).get()
          confirmed.withLock { $0 = order + 1 }
        }
        journal.close()
      }
    }()
    try await poll(while: confirmed.withLock { $0 } == 0)
    while !isFinished.withLock({ $0 }) {
      let least = confirmed.withLock { $0 }
      #expect(try SQLiteJournal<Int>.records(at: folder.file).count >= least)
      await Task.yield()
    }
    try await writing
  }

  @Test(
    "a journal that cannot be written because of its permissions or a read-only file system has an error of its own")
  func notWritable() {
    for code in [EROFS, EACCES, EPERM] {
      let error = JournalLock.failure(folder.file, code)
      #expect(error.kind == .notWritable && error.description.contains(folder.file))
    }
    #expect(JournalLock.failure(folder.file, ENOSPC).kind == .storage)
    // SQLITE_READONLY and SQLITE_FULL.
    #expect(journalError(Database.Refusal(code: 8, message: "readonly"), "write", folder.file).kind == .notWritable)
    #expect(journalError(Database.Refusal(code: 13, message: "full"), "write", folder.file).kind == .storage)
  }

  @Test("a missing, a foreign and a corrupt file are different errors, and are not changed") func errors() async throws
  {
    let missing = #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: folder.file) }
    #expect(
      missing?.kind == .storage && missing?.description.contains("the file does not exist. Check the path.") == true)
    #expect(folder.names == [])
    do {
      let database = try Database(at: folder.file)
      try database.execute("CREATE TABLE bookmarks (url TEXT)")
      database.close()
    }
    let foreign = #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: folder.file) }
    #expect(foreign?.kind == .foreign)
    try folder.removeAll()
    _ = try await folder.fill(3)
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(IdempotencyKey(high: 7, low: 1).description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
    let damaged = #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: folder.file) }
    #expect(damaged?.kind == .damaged)
    #expect(try folder.names == ["journal.sqlite"] && folder.bytes() == bytes)
  }
}
