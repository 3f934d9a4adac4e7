import Foundation
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

@Suite("A damaged journal") struct RecoveryTests {
  let folder = Folder()
  static let count = 300

  func filled() throws -> [TakingRecord<Int>] { try folder.fill(Self.count) }

  @Test("that was truncated gives back what is left, and says how much is lost") func truncated() throws {
    let records = try filled()
    let bytes = try folder.bytes()
    for part in [3, 2] {
      try folder.write(Array(bytes.prefix(bytes.count / 4096 * part / 4 * 4096)))
      let journal = try SQLiteJournal<Int>(at: folder.file)
      let recovery = try #require(journal.recovery)
      let left = try journal.journal.records()
      #expect(left.count == recovery.salvaged)
      #expect(left.allSatisfy { records.contains($0) })
      #expect(recovery.salvaged > 0)
      #expect(recovery.lost == Self.count - recovery.salvaged)
      #expect(FileManager.default.fileExists(atPath: recovery.damagedFile))
      #expect("\(recovery)".contains("\(recovery.salvaged) records salvaged, \(recovery.lost ?? -1) lost"))
      #expect("\(recovery)".contains("Take each lost order again."))
    }
    // The next opening finds nothing wrong.
    #expect(try SQLiteJournal<Int>(at: folder.file).recovery == nil)
    #expect(folder.names.filter { $0.contains("damaged") }.count == 2)
  }

  @Test("with a flipped bit anywhere in its first page gives back every record") func flippedFirstPage() throws {
    let records = try filled()
    let bytes = try folder.bytes()
    // In the header the version, and in the declarations a name, a word, and where a table begins.
    let names = ["TABLE takings", "order_id TEXT", "STRICT", "taking_added"].compactMap { name in
      bytes.prefix(4_096).indices.first { Array(bytes[$0...].prefix(name.utf8.count)) == Array(name.utf8) }
    }
    #expect(names.count == 4)
    // Of the version the bits that make it an earlier one; one that makes it later makes the file another release's.
    let versions = [(63, UInt8(0x02)), (63, 0x03)]
    for (place, bits) in names.map({ ($0, 0x01) }) + versions + [(100, 0x01), (105, 0x01), (110, 0x01)] {
      var damaged = bytes
      damaged[place] ^= bits
      try folder.write(damaged)
      let journal = try SQLiteJournal<Int>(at: folder.file)
      #expect(try journal.journal.records() == records, "the byte \(place)")
      journal.close()
    }
  }

  @Test("with a flipped bit in its index, by which orders are found, gives back every record") func flippedIndex()
    throws
  {
    let records = try filled()
    let bytes = try folder.bytes()
    // A leaf of an index begins with 10, and ends with what its first entry leads to.
    let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { bytes[$0] == 10 }
    #expect(!leaves.isEmpty)
    for leaf in leaves {
      var damaged = bytes
      damaged[leaf + 4_095] ^= 0x01
      try folder.write(damaged)
      let journal = try SQLiteJournal<Int>(at: folder.file)
      #expect(journal.recovery?.lost == 0)
      #expect(journal.recovery?.description.contains("Take each lost order") == false)
      #expect(try journal.journal.records() == records)
      for record in records { #expect(try journal.journal.record(record.intent.order) == record) }
      journal.close()
    }
  }

  @Test("with a flipped bit in a record gives back all others, and names the lost one") func flippedRecord() throws {
    let records = try filled()
    var bytes = try folder.bytes()
    // A body of bytes of its own, in the middle of a page.
    let body = Array(repeating: UInt8(137), count: 100)
    let place = try #require(bytes.indices.first { Array(bytes[$0..<min($0 + 100, bytes.count)]) == body })
    bytes[place + 50] ^= 0x10
    try folder.write(bytes)
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let recovery = try #require(journal.recovery)
    #expect(recovery.lostOrders == ["137"])
    #expect(recovery.lost == 1 && recovery.salvaged == Self.count - 1)
    #expect(try journal.journal.records() == records.filter { $0.intent.order != 137 })
  }

  @Test("a journal with any flipped bit never returns a record that was not written") func anyBit() throws {
    let records = Dictionary(uniqueKeysWithValues: try filled().map { ($0.intent.order, $0) })
    let bytes = try folder.bytes()
    try checkNeverThrows("what is read was written", count: 20, .int(in: 0...(bytes.count * 8 - 1))) { bit in
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      try folder.write(flipped)
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
      do {
        let journal = try SQLiteJournal<Int>(at: folder.file)
        defer { journal.close() }
        let left = try journal.journal.records()
        guard left.allSatisfy({ records[$0.intent.order] == $0 }) else { throw Wrong(what: "not what was written") }
        guard left.count == Self.count || journal.recovery != nil else { throw Wrong(what: "lost without a word") }
      } catch let error as JournalError where error.kind == .tooNew {
        // The version itself was hit: an error, and nothing is touched.
      }
    }
  }

  /// Opens a file, and expects that it is refused as somebody else's, and that nothing is changed.
  func expectForeign(_ bytes: [UInt8], _ what: Comment) throws {
    try folder.write(bytes)
    let names = folder.names
    let error = #expect(throws: JournalError.self, what) { try SQLiteJournal<Int>(at: folder.file) }
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

  @Test("that can have been nothing else is put aside, with nothing to salvage") func emptied() throws {
    let beginning = try { () -> [UInt8] in
      _ = try filled()
      return Array(try folder.bytes().prefix(700))
    }()
    for bytes in [beginning, Array(beginning.prefix(9)), Array(repeating: 0, count: 9_000), [0]] {
      try folder.write(bytes)
      let journal = try SQLiteJournal<Int>(at: folder.file)
      let recovery = try #require(journal.recovery)
      #expect(recovery.salvaged == 0 && recovery.lost == nil)
      #expect("\(recovery)".contains("an unknown number lost"))
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: recovery.damagedFile))) == bytes)
      #expect(try journal.journal.records().isEmpty)
    }
  }

  @Test("whose first page is lost as a whole is known by its records") func firstPageLost() throws {
    let records = try filled()
    var bytes = try folder.bytes()
    bytes.replaceSubrange(0..<4_096, with: Array(repeating: 0x5A, count: 4_096))
    try folder.write(bytes)
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(journal.recovery != nil)
    #expect(try journal.journal.records() == records)
  }

  @Test("one of several concurrent openings salvages a journal, and the others fail") func together()
    async throws
  {
    let records = try filled()
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(records[7].intent.key.description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
    let opened = Locked<[SQLiteJournal<Int>]>([])
    let refused = Locked<[JournalError]>([])
    await hammer(threads: 8) { _, _ in
      do throws(JournalError) {
        let journal = try SQLiteJournal<Int>(at: folder.file)
        opened.withLock { $0.append(journal) }
      } catch {
        refused.withLock { $0.append(error) }
      }
    }
    #expect(opened.withLock(\.count) == 1)
    #expect(refused.withLock { $0.allSatisfy { $0.kind == .inUse } }, "\(refused.withLock { $0 })")
    let journal = try #require(opened.withLock(\.first))
    #expect(journal.recovery?.salvaged == Self.count - 1)
    #expect(try journal.journal.records().count == Self.count - 1)
    #expect(folder.names.filter { $0.contains(".damaged-") && !$0.contains("-wal") && !$0.contains("-shm") }.count == 1)
  }

  @Test("is left alone, with all that lies beside it, while another one has its lock") func lockedWhileDamaged() throws
  {
    _ = try filled()
    var bytes = try folder.bytes()
    bytes.replaceSubrange(100..<108, with: Array(repeating: 0xEE, count: 8))
    try folder.write(bytes)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file + ".salvaged"))
    let lock = try JournalLock(of: folder.file)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file) }
    #expect(error?.kind == .inUse && error?.description.contains("locked") == true)
    #expect(folder.names == ["journal.sqlite", "journal.sqlite.lock", "journal.sqlite.salvaged"])
    withExtendedLifetime(lock) {}
  }

  @Test("a journal with any flipped bit in its log is salvaged and reported") func flippedLog() throws {
    let journal = try SQLiteJournal<Int>(at: folder.file)
    for order in 0..<6 {
      try journal.journal.write(
        TakingRecord(intent: TakingIntent(order: order, key: IdempotencyKey(high: 0, low: 1)), begunAt: .seconds(order))
      )
    }
    let (file, log) = (try folder.bytes(), [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal"))))
    #expect(WriteAheadLog.damage(in: log) == nil)
    try checkNeverThrows("no record is lost without a word", count: 20, .int(in: 0...(log.count * 8 - 1))) { bit in
      let copy = Folder()
      var flipped = log
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      try copy.write(file)
      try Data(flipped).write(to: URL(fileURLWithPath: copy.file + "-wal"))
      let opened = try SQLiteJournal<Int>(at: copy.file)
      let left = try opened.journal.records().count
      guard left == 6 || opened.recovery != nil else { throw Wrong(what: "\(6 - left) lost without a word") }
    }
  }

  @Test(
    "that is a database of something else is an error, and left as it is",
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

  @Test("whose log was cut off is as it was before the last writes") func truncatedLog() throws {
    let journal = try SQLiteJournal<Int>(at: folder.file)
    for order in 0..<20 {
      try journal.journal.write(
        TakingRecord(intent: TakingIntent(order: order, key: IdempotencyKey(high: 0, low: 1)), begunAt: .seconds(order))
      )
    }
    // A copy of what is on the disk while the journal is open, as a machine leaves it that loses its power.
    let copy = Folder()
    try copy.write(try folder.bytes())
    let log = try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal"))
    try log.prefix(log.count / 2 + 7).write(to: URL(fileURLWithPath: copy.file + "-wal"))
    let reopened = try SQLiteJournal<Int>(at: copy.file)
    let left = try reopened.journal.records().map(\.intent.order)
    #expect(left == Array(0..<left.count))
    #expect((1..<20).contains(left.count))
    // And whole, it has everything.
    let whole = Folder()
    try whole.write(try folder.bytes())
    try log.write(to: URL(fileURLWithPath: whole.file + "-wal"))
    #expect(try SQLiteJournal<Int>(at: whole.file).journal.records().count == 20)
  }

  @Test("is brought up to date when an earlier release wrote it, and left alone when a later one did") func versions()
    throws
  {
    let later = Schema(steps: Schema.current.steps + ["ALTER TABLE takings ADD COLUMN note TEXT NOT NULL DEFAULT '';"])
    let records = try filled()
    do {
      let (storage, recovery) = try JournalStorage.open(at: folder.file, schema: later)
      #expect(recovery == nil)
      #expect(try storage.rows().count == records.count)
    }
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file) }
    #expect(error?.kind == .tooNew)
    #expect(error?.description.contains("version \(later.steps.count)") == true)
    #expect(try JournalStorage.open(at: folder.file, schema: later).storage.rows().count == records.count)
    #expect(folder.names == ["journal.sqlite"])
  }

  @Test("of the first release is brought up to date with all its records, and takes the first server that is named")
  func firstRelease() throws {
    let first = Schema(steps: Array(Schema.current.steps.prefix(1)))
    let records = (0..<5).map { order in
      TakingRecord(intent: TakingIntent(order: order, key: IdempotencyKey(high: 7, low: 7)), begunAt: .seconds(order))
    }
    do {
      let (storage, _) = try JournalStorage.open(at: folder.file, schema: first)
      try storage.write(all: records.map { StoredRow($0, order: "\($0.intent.order)") })
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(journal.recovery == nil)
    #expect(try journal.journal.records() == records)
    try journal.assign(toServer: "http://one.example")
    #expect(throws: JournalError.self) { try journal.assign(toServer: "http://two.example") }
  }

  @Test("still knows which server its orders are of") func serverOfDamaged() throws {
    _ = try filled()
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      try journal.assign(toServer: "http://one.example")
      journal.close()
    }
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(IdempotencyKey(high: 7, low: 9).description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(journal.recovery?.lost == 1)
    let error = #expect(throws: JournalError.self) { try journal.assign(toServer: "http://two.example") }
    #expect(error?.kind == .otherServer)
  }

  @Test("is not brought halfway up to date when a step fails") func failedStep() throws {
    _ = try filled()
    let broken = Schema(steps: Schema.current.steps + ["ALTER TABLE takings ADD COLUMN note TEXT; CREATE NONSENSE;"])
    #expect(throws: JournalError.self) { try JournalStorage.open(at: folder.file, schema: broken) }
    #expect(try SQLiteJournal<Int>(at: folder.file).journal.records().count == Self.count)
  }

  @Test("that cannot note what was delivered keeps what is written afterwards, safely") func failedNote() throws {
    let records = try filled()
    let row = StoredRow(records[0], order: "0")
    let new = StoredRow(
      TakingRecord(intent: TakingIntent(order: 1_000, key: IdempotencyKey(high: 0, low: 1)), begunAt: .zero),
      order: "1000")
    do {
      let database = try Database(at: folder.file)
      try database.execute("CREATE TEMP TRIGGER no BEFORE UPDATE ON takings BEGIN SELECT raise(ABORT, 'no'); END")
      let storage = JournalStorage(database, at: folder.file)
      #expect(throws: JournalError.self) { try storage.replace([(row, row)]) }
      #expect(try database.query("PRAGMA synchronous") == [[.integer(2)]])
      try storage.write(new)
    }
    #expect(try SQLiteJournal<Int>(at: folder.file).journal.records().count == records.count + 1)
  }

  struct Wrong: Error { let what: String }
}

extension Folder {
  /// Leaves a closed journal of many records, so that they fill many pages.
  func fill(_ count: Int) throws -> [TakingRecord<Int>] {
    let records = (0..<count).map { order in
      TakingRecord(
        intent: TakingIntent(
          order: order, key: IdempotencyKey(high: 7, low: UInt64(order)),
          body: Array(repeating: UInt8(order % 256), count: 100)),
        begunAt: .seconds(order))
    }
    let (storage, _) = try JournalStorage.open(at: file)
    try storage.write(all: records.map { StoredRow($0, order: "\($0.intent.order)") })
    return records
  }
}
