import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

@Suite("A damaged journal") struct RecoveryTests {
  let folder = Folder()
  static let count = 300

  func filled() async throws -> [TakingRecord<Int>] { try await folder.fill(Self.count) }

  @Test("opening a truncated journal keeps the remaining records, and reports the number of lost ones") func truncated()
    async throws
  {
    let records = try await filled()
    let bytes = try folder.bytes()
    for part in [3, 2] {
      try folder.removeAll()
      try folder.write(Array(bytes.prefix(bytes.count / 4096 * part / 4 * 4096)))
      let journal = try folder.open()
      let recovery = try #require(journal.recovery)
      let left = try await journal.records().get()
      #expect(left.count == recovery.salvaged)
      #expect(left.allSatisfy { records.contains($0) })
      #expect(recovery.salvaged > 0)
      #expect(recovery.lost == Self.count - recovery.salvaged)
      #expect(FileManager.default.fileExists(atPath: recovery.damagedFile))
      #expect("\(recovery)".contains("\(recovery.salvaged) records salvaged, \(recovery.lost ?? -1) lost"))
      #expect("\(recovery)".contains("Take each lost order again."))
      journal.close()
    }
  }

  @Test("a flipped bit anywhere in the first page loses no record") func flippedFirstPage() async throws {
    let records = try await filled()
    let bytes = try folder.bytes()
    let names = ["TABLE takings", "order_id TEXT", "STRICT", "taking_added", "takings_kept"].compactMap { name in
      bytes.prefix(4_096).indices.first { Array(bytes[$0...].prefix(name.utf8.count)) == Array(name.utf8) }
    }
    #expect(names.count == 5)
    // These bits of the version make it an earlier or a later version.
    let versions = [(63, UInt8(0x01)), (63, 0x02), (63, 0x03), (63, 0x08), (60, 0x40)]
    let header = [0, 15, 16, 18, 19, 20, 28, 31, 35, 39, 44, 47, 52, 56, 59, 64, 100, 103, 105, 110].map {
      ($0, UInt8(1))
    }
    for (place, bits) in names.map({ ($0, 0x01) }) + versions + header {
      var damaged = bytes
      damaged[place] ^= bits
      try folder.removeAll()
      try folder.write(damaged)
      let journal = try folder.open()
      #expect(try await journal.records().get() == records, "the byte \(place)")
      journal.close()
    }
  }

  @Test("a flipped bit in the index of the orders loses no record") func flippedIndex() async throws {
    let records = try await filled()
    let bytes = try folder.bytes()
    // A leaf of an index begins with 10, and ends with its first entry.
    let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { bytes[$0] == 10 && bytes[$0 + 4_095] != 0 }
    #expect(leaves.count > 1)
    for leaf in leaves {
      var damaged = bytes
      damaged[leaf + 4_095] ^= 0x01
      try folder.removeAll()
      try folder.write(damaged)
      let journal = try folder.open()
      #expect(journal.recovery?.lost == 0)
      #expect(try await journal.records().get() == records)
      for record in records { #expect(try await journal.journal.record(record.intent.order).get() == record) }
      journal.close()
    }
  }

  @Test("a flipped bit in a record loses only that record, and the report names its order") func flippedRecord()
    async throws
  {
    let records = try await filled()
    var bytes = try folder.bytes()
    let body = Array(repeating: UInt8(137), count: 100)
    let place = try #require(Data(bytes).range(of: Data(body)))
    bytes[place.lowerBound + 50] ^= 0x10
    try folder.write(bytes)
    let journal = try folder.open()
    let recovery = try #require(journal.recovery)
    #expect(recovery.lostOrders == ["137"])
    #expect(recovery.lost == 1 && recovery.salvaged == Self.count - 1)
    #expect(try await journal.records().get() == records.filter { $0.intent.order != 137 })
  }

  @Test("a long record that continues on other pages is salvaged") func longRecords() async throws {
    let records = (0..<8).map {
      record($0, body: Array(repeating: UInt8($0), count: [10, 3_900, 4_100, 60_000][$0 % 4]))
    }
    do {
      let journal = try folder.open()
      for record in records { _ = journal.journal.write(record) }
      _ = try await journal.records().get()
      journal.close()
    }
    var bytes = try folder.bytes()
    bytes[47] ^= 1
    try folder.write(bytes)
    let journal = try folder.open()
    #expect(journal.recovery?.lost == 0)
    #expect(try await journal.records().get() == records)
  }

  @Test("a recovery keeps both records of two orders whose names look alike") func similarNames() async throws {
    let records = ["caf\u{E9}", "cafe\u{301}"].enumerated().map { number, name in
      TakingRecord(
        intent: TakingIntent(order: name, key: IdempotencyKey(high: 7, low: UInt64(number))), begunAt: .seconds(number))
    }
    do {
      let journal = try SQLiteJournal<String>(at: folder.file, server: "http://one.example")
      for record in records { try await journal.journal.write(record).get() }
      journal.close()
    }
    var bytes = try folder.bytes()
    bytes[47] ^= 1
    try folder.write(bytes)
    let journal = try SQLiteJournal<String>(at: folder.file, server: "http://one.example")
    #expect(journal.recovery?.lost == 0)
    #expect(try await journal.records().get() == records)
  }

  /// Flips a bit, and checks that no record is false or lost silently.
  private func check(_ bit: Int, of bytes: [UInt8], _ records: [Int: TakingRecord<Int>]) async throws {
    var flipped = bytes
    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
    try folder.removeAll()
    try folder.write(flipped)
    do {
      let journal = try folder.open()
      defer { journal.close() }
      let left = try await journal.records().get()
      guard left.allSatisfy({ records[$0.intent.order] == $0 }) else { throw Wrong(what: "not as it was written") }
      guard left.count == Self.count || journal.recovery != nil else { throw Wrong(what: "lost silently") }
    } catch let error as JournalError where error.kind == .tooNew {
      // The flipped bit is in the version, so the file must not change.
    } catch let error as JournalError where error.description.contains("the name of its server is") {
      // Another test covers a journal with the name of another server.
    }
  }

  @Test("a journal with any flipped bit never returns a record that was not written") func anyBit() async throws {
    let records = Dictionary(uniqueKeysWithValues: try await filled().map { ($0.intent.order, $0) })
    let bytes = try folder.bytes()
    // SQLite reports this one as "unsupported file format".
    try await check(376, of: bytes, records)
    try await checkNeverThrows("what is read was written", count: 20, .int(in: 0...(bytes.count * 8 - 1))) { bit in
      try await check(bit, of: bytes, records)
    }
  }

  func expectForeign(_ bytes: [UInt8], _ what: Comment) throws {
    try folder.write(bytes)
    let names = folder.names
    let error = #expect(throws: JournalError.self, what) { try folder.open() }
    #expect(error?.kind == .foreign && error?.description.contains(folder.file) == true, what)
    #expect(error?.description.contains("Use another file") == true, what)
    #expect(try folder.bytes() == bytes, what)
    #expect(folder.names == names, what)
  }

  @Test("a file that was never a journal is refused and not changed") func noJournal() throws {
    let letter = Array("This is a letter, not a journal. ".utf8)
    try expectForeign(letter, "a short text")
    try expectForeign(Array((0..<200).flatMap { _ in letter }), "a text of several pages")
    try expectForeign(Array((0..<512).flatMap { _ in Array("16 characters...".utf8) }), "a text of exactly two pages")
    try expectForeign(Array("x".utf8), "a single letter")
    try expectForeign(
      Array("CREATE TABLE takings (order_id TEXT NOT NULL UNIQUE);".utf8), "a text that speaks of journals")
    var numbers = SeededGenerator(seed: 1)
    try expectForeign((0..<8_192).map { _ in .random(in: 0...255, using: &numbers) }, "bytes")
  }

  @Test("a file of zeros, or with a part of its first page, is moved aside, and the loss is reported") func emptied()
    async throws
  {
    let beginning = try await { () -> [UInt8] in
      _ = try await filled()
      return Array(try folder.bytes().prefix(700))
    }()
    for bytes in [beginning, Array(beginning.prefix(9)), Array(repeating: 0, count: 9_000), [0]] {
      try folder.removeAll()
      try folder.write(bytes)
      let journal = try folder.open()
      let recovery = try #require(journal.recovery)
      #expect(recovery.salvaged == 0 && recovery.lost == nil)
      #expect("\(recovery)".contains("an unknown number lost"))
      #expect(try Folder.bytes(of: recovery.damagedFile) == bytes)
      #expect(try await journal.records().get().isEmpty)
      journal.close()
    }
  }

  @Test("the loss of the first page loses no record") func firstPageLost() async throws {
    let records = try await filled()
    var bytes = try folder.bytes()
    bytes.replaceSubrange(0..<4_096, with: Array(repeating: 0x5A, count: 4_096))
    try folder.write(bytes)
    let journal = try folder.open()
    #expect(journal.recovery != nil)
    #expect(try await journal.records().get() == records)
  }

  @Test("one of several concurrent openings salvages a journal, and the others fail") func together() async throws {
    let records = try await filled()
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(records[7].intent.key.description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
    let opened = Locked<[SQLiteJournal<Int>]>([])
    let refused = Locked<[JournalError]>([])
    await hammer(threads: 8) { _, _ in
      do throws(JournalError) {
        let journal = try folder.open()
        opened.withLock { $0.append(journal) }
      } catch {
        refused.withLock { $0.append(error) }
      }
    }
    #expect(opened.withLock(\.count) == 1)
    #expect(refused.withLock { $0.allSatisfy { $0.kind == .inUse } }, "\(refused.withLock { $0 })")
    let journal = try #require(opened.withLock(\.first))
    #expect(journal.recovery?.salvaged == Self.count - 1)
    #expect(try await journal.records().get().count == Self.count - 1)
    #expect(folder.names.filter { $0.contains(".damaged-") && !$0.contains("-wal") && !$0.contains("-shm") }.count == 1)
  }

  @Test("a damaged journal is not changed while another process has its lock") func lockedWhileDamaged() async throws {
    _ = try await filled()
    var bytes = try folder.bytes()
    bytes.replaceSubrange(100..<108, with: Array(repeating: 0xEE, count: 8))
    try folder.write(bytes)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged"))
    let lock = try JournalLock(of: folder.file)
    let error = #expect(throws: JournalError.self) { try folder.open() }
    #expect(error?.kind == .inUse && error?.description.contains("locked") == true)
    #expect(folder.names == ["journal.sqlite", "journal.sqlite.lock", "journal.sqlite.salvaged"])
    withExtendedLifetime(lock) {}
  }

  @Test(
    "a database of another program is refused and not changed",
    arguments: [
      "CREATE TABLE bookmarks (url TEXT);", "CREATE TABLE takings (day TEXT UNIQUE, euros INTEGER);",
      "CREATE TABLE shop_takings (id INTEGER PRIMARY KEY); CREATE VIEW takings AS SELECT * FROM shop_takings;",
    ], [false, true])
  func foreign(statements: String, isDamaged: Bool) throws {
    do {
      let database = try Database(at: folder.file)
      try database.execute(statements)
      database.close()
    }
    var bytes = try folder.bytes()
    if isDamaged { bytes.replaceSubrange(100..<108, with: Array(repeating: 0xEE, count: 8)) }
    try expectForeign(bytes, "\(statements)")
    #expect(folder.names == ["journal.sqlite"])
  }
}
