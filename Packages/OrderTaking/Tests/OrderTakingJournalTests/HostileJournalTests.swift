import Foundation
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

/// Files that somebody has broken on purpose: opening ends, with what was written, with less and a word about it, or with
/// an error.
@Suite("A hostile journal") struct HostileJournalTests {
  let folder = Folder()
  static let count = 60

  func filled() throws -> [Int: TakingRecord<Int>] {
    let records = (0..<Self.count).map { order -> TakingRecord<Int> in
      let body = [UInt8](repeating: UInt8(order), count: 200)
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 7, low: UInt64(order)), body: body)
      let change: TakingChange = order % 3 == 0 ? .begun : .ended(.declined(reason: "late"))
      return TakingRecord(intent: intent, begunAt: .seconds(order), change: change)
    }
    let (storage, _) = try JournalStorage.open(at: folder.file)
    try storage.write(all: records.map { StoredRow($0, order: "\($0.intent.order)") })
    return Dictionary(uniqueKeysWithValues: records.map { ($0.intent.order, $0) })
  }

  /// Opens what bytes say, and looks whether it is no lie.
  func open(_ bytes: [UInt8], log: [UInt8]? = nil, _ written: [Int: TakingRecord<Int>]) throws {
    for name in folder.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
    try folder.write(bytes)
    if let log { try Data(log).write(to: URL(fileURLWithPath: folder.file + "-wal")) }
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      defer { journal.close() }
      let left = try journal.journal.records()
      guard left.allSatisfy({ written[$0.intent.order] == $0 }) else { throw Wrong(what: "not what was written") }
      guard left.count == written.count || journal.recovery != nil || bytes.isEmpty else {
        throw Wrong(what: "\(written.count - left.count) lost without a word")
      }
      // It is a journal again.
      try journal.journal.write(
        TakingRecord(intent: TakingIntent(order: 1_000, key: IdempotencyKey(high: 0, low: 1)), begunAt: .zero))
    } catch let error as JournalError {
      guard error.description.contains(folder.file) else { throw Wrong(what: "an error that names no file: \(error)") }
    }
  }

  @Test("that is cut off at each page, and a byte beside it") func cutOff() throws {
    let written = try filled()
    let bytes = try folder.bytes()
    for end in stride(from: 0, through: bytes.count, by: 4_096) {
      for length in [end - 1, end, end + 1] where (0...bytes.count).contains(length) {
        try open(Array(bytes.prefix(length)), written)
      }
    }
    for length in [1, 15, 16, 17, 99, 100, 101] { try open(Array(bytes.prefix(length)), written) }
  }

  @Test("that is random bytes, with the beginning of a journal or without") func random() throws {
    let written = try filled()
    let bytes = try folder.bytes()
    try checkNeverThrows("random bytes", count: 12, .int(in: 0...20_000), .int(in: 0...2), .int) { length, kind, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      try open(Array(bytes.prefix([0, 100, 4_096][kind])) + noise, written)
    }
  }

  @Test("in which a part is random bytes") func noise() throws {
    let written = try filled()
    let bytes = try folder.bytes()
    try checkNeverThrows(
      "a part of noise", count: 40, .int(in: 0...(bytes.count - 1)), .int(in: 1...3_000), .int
    ) { start, length, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      var changed = bytes
      for place in start..<min(start + length, bytes.count) {
        changed[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      try open(changed, written)
    }
  }

  @Test("whose header says what it likes") func header() throws {
    let written = try filled()
    let bytes = try folder.bytes()
    for place in 0..<100 {
      var changed = bytes
      changed[place] = bytes[place] == 0xFF ? 0 : 0xFF
      try open(changed, written)
    }
  }

  @Test("with a log of random bytes beside it") func log() throws {
    let written = try filled()
    let bytes = try folder.bytes()
    try checkNeverThrows("a log of noise", count: 8, .int(in: 0...20_000), .int) { length, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      try open(bytes, log: (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }, written)
    }
  }

  @Test(
    "a journal with endless views or triggers is salvaged without running them",
    arguments: [
      """
      DROP TABLE takings; CREATE VIEW takings AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, 'x' AS order_id, 'x' AS key, x'00' AS body, 1 AS begun_at, 'x' AS change, 'x' AS detail, 'x' AS checksum
      FROM n;
      """,
      "CREATE TRIGGER trap AFTER UPDATE ON takings BEGIN DELETE FROM takings; END;",
      "CREATE TRIGGER trap BEFORE INSERT ON takings BEGIN SELECT raise(IGNORE); END;",
      "ALTER TABLE takings ADD COLUMN more TEXT;", "CREATE TABLE other (x);", "DROP TABLE tally;",
      "DROP TABLE takings; CREATE TABLE takings (id INTEGER PRIMARY KEY);",
    ])
  func trap(statements: String) throws {
    let written = try filled()
    do {
      let database = try Database(at: folder.file)
      try database.execute(statements)
      database.close()
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let recovery = try #require(journal.recovery)
    #expect(recovery.damage == "its tables are not the tables of a journal")
    let left = try journal.journal.records()
    #expect(left.allSatisfy { written[$0.intent.order] == $0 })
    #expect(left.count == (statements.contains("DROP TABLE takings") ? 0 : Self.count))
    let new = TakingRecord(intent: TakingIntent(order: 1_000, key: IdempotencyKey(high: 0, low: 1)), begunAt: .zero)
    try journal.journal.write(new)
    try journal.journal.write(new)
    #expect(try journal.journal.records().count == left.count + 1)
  }

  struct Wrong: Error { let what: String }
}
