import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

/// Opening any file ends with the records that were written, with a report, or with an error that names the file.
@Suite("A hostile journal") struct HostileJournalTests {
  let folder = Folder()
  static let count = 60

  func filled() async throws -> [Int: TakingRecord<Int>] {
    let journal = try folder.open()
    let records = (0..<Self.count).map { order in
      record(
        order, order % 3 == 0 ? .begun : .ended(.declined(reason: "late")),
        body: [UInt8](repeating: UInt8(order), count: 200), isDelivered: order % 3 == 1)
    }
    for record in records { _ = journal.journal.write(record) }
    #expect(try await journal.records().get() == records)
    journal.close()
    return Dictionary(uniqueKeysWithValues: records.map { ($0.intent.order, $0) })
  }

  func open(_ bytes: [UInt8], log: [UInt8]? = nil, _ written: [Int: TakingRecord<Int>]) async throws {
    try folder.removeAll()
    try folder.write(bytes)
    if let log { try folder.writeLog(log) }
    do {
      // A corrupt delivered record is an error of the read. Then the second opening salvages.
      do { try await look(written, isEmpty: bytes.isEmpty) } catch let error as JournalError
        where error.kind == .damaged
      {
        if error.description.contains("the name of its server is") { return }
        try await look(written, isEmpty: bytes.isEmpty)
      }
    } catch let error as JournalError {
      guard error.description.contains(folder.file) else { throw Wrong(what: "an error without the file: \(error)") }
      guard error.kind != .damaged else { throw Wrong(what: "not salvaged: \(error)") }
    }
  }

  private func look(_ written: [Int: TakingRecord<Int>], isEmpty: Bool) async throws {
    let journal = try folder.open()
    defer { journal.close() }
    let left = try await journal.records().get()
    guard left.allSatisfy({ written[$0.intent.order] == $0 }) else { throw Wrong(what: "not as it was written") }
    guard left.count == written.count || journal.recovery != nil || isEmpty else {
      throw Wrong(what: "\(written.count - left.count) lost silently")
    }
    try await journal.journal.write(record(1_000)).get()
  }

  @Test("opening a journal that is truncated anywhere near a page boundary loses no record silently") func cutOff()
    async throws
  {
    let written = try await filled()
    let bytes = try folder.bytes()
    for end in stride(from: 0, through: bytes.count, by: 4_096) {
      for length in [end - 1, end, end + 1] where (0...bytes.count).contains(length) {
        try await open(Array(bytes.prefix(length)), written)
      }
    }
    for length in [1, 15, 16, 17, 99, 100, 101] { try await open(Array(bytes.prefix(length)), written) }
  }

  @Test("opening random bytes, with or without the beginning of a journal, returns no wrong record") func random()
    async throws
  {
    let written = try await filled()
    let bytes = try folder.bytes()
    try await checkNeverThrows("random bytes", count: 12, .int(in: 0...20_000), .int(in: 0...2), .int) {
      length, kind, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      try await open(Array(bytes.prefix([0, 100, 4_096][kind])) + noise, written)
    }
  }

  @Test("opening a journal with a range of random bytes loses no record silently") func noise() async throws {
    let written = try await filled()
    let bytes = try folder.bytes()
    try await checkNeverThrows(
      "a part of noise", count: 40, .int(in: 0...(bytes.count - 1)), .int(in: 1...3_000), .int
    ) { start, length, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      var changed = bytes
      for place in start..<min(start + length, bytes.count) {
        changed[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      try await open(changed, written)
    }
  }

  @Test("opening a journal with a changed byte in the header loses no record silently") func header() async throws {
    let written = try await filled()
    let bytes = try folder.bytes()
    for place in 0..<100 {
      var changed = bytes
      changed[place] = bytes[place] == 0xFF ? 0 : 0xFF
      try await open(changed, written)
    }
  }

  @Test("opening a journal with random bytes as its log loses no record silently") func log() async throws {
    let written = try await filled()
    let bytes = try folder.bytes()
    try await checkNeverThrows("a log of noise", count: 8, .int(in: 0...20_000), .int) { length, seed in
      var numbers = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      try await open(bytes, log: (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }, written)
    }
  }

  @Test("salvaging pages of random bytes ends, and returns no rows") func pages() {
    var numbers = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var bytes = (0..<4_096 * 3).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      for page in 0..<3 {
        bytes[page * 4_096] = 13
        bytes[page * 4_096 + 3] = 0
      }
      #expect(Salvage(of: bytes, with: WriteAheadLog(bytes)).rows == [])
    }
  }

  @Test(
    "an impossible number of records is reported as an unknown loss, also after an earlier loss",
    arguments: [Int64.min, -1, .max])
  func impossibleCount(count: Int64) async throws {
    let written = try await filled()
    for _ in 1...2 {
      let database = try Database(at: folder.file)
      try database.execute("UPDATE tally SET takings = \(count), kept = 5")
      database.close()
      let journal = try folder.open()
      let recovery = try #require(journal.recovery)
      #expect(recovery.salvaged == written.count && recovery.lost == nil, "\(recovery)")
      journal.close()
    }
  }

  @Test("the sum of two losses that no number can represent is an unknown loss")
  func impossibleSum() {
    func loss(_ lost: Int) -> JournalRecovery {
      JournalRecovery(salvaged: 1, lost: lost, lostOrders: [], damagedFile: "a", damage: "b")
    }
    #expect(loss(2).adding(loss(3)).lost == 5)
    #expect(loss(2).adding(loss(.max)).lost == nil)
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
  func trap(statements: String) async throws {
    let written = try await filled()
    do {
      let database = try Database(at: folder.file)
      try database.execute("PRAGMA secure_delete=ON; " + statements)
      database.close()
    }
    let journal = try folder.open()
    let recovery = try #require(journal.recovery)
    #expect(recovery.damage == "its tables are not the tables of a journal")
    let left = try await journal.records().get()
    #expect(left.allSatisfy { written[$0.intent.order] == $0 })
    #expect(left.count == (statements.contains("DROP TABLE takings") ? 0 : Self.count))
    _ = journal.journal.write(record(1_000))
    _ = journal.journal.write(record(1_000))
    #expect(try await journal.records().get().count == left.count + 1)
  }
}
