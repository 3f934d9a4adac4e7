import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("Opening a journal") struct OpeningTests {
  let folder = Folder()

  func fill(delivered count: Int) async throws {
    let journal = try folder.open()
    for order in 1...count {
      _ = journal.journal.write(
        record(order, .ended(.expired), body: Array(repeating: 1, count: 500), isDelivered: true))
    }
    try await journal.journal.write(record(0)).get()
    journal.close()
  }

  @Test("opening reads the open records, and no delivered record") func readsOpenRecords() async throws {
    try await fill(delivered: 300)
    let plain = try folder.bytes()
    // All delivered records are corrupt now, which opening the journal does not detect.
    let body = Data(repeating: 1, count: 500)
    var bytes = Data(plain)
    var damaged = 0
    var position = 0
    while let place = bytes.range(of: body, in: position..<bytes.count) {
      position = place.upperBound
      bytes[place.lowerBound + 250] = 2
      damaged += 1
    }
    #expect(damaged == 300)
    try folder.write(Array(bytes))
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.journal.openRecords().get() == [record(0)])

    // A read detects it, and the next opening reports the loss.
    let error = await #expect(throws: JournalError.self) { try await journal.journal.record(7).get() }
    #expect(error?.kind == .damaged && error?.description.contains("Open the journal again to salvage it.") == true)
    journal.close()
    let reopened = try folder.open()
    #expect(reopened.recovery?.lost == 300 && reopened.recovery?.salvaged == 1)
    #expect(try await reopened.records().get() == [record(0)])
    reopened.close()
    #expect(!folder.names.contains { $0.hasSuffix(".check") })
  }

  @Test("the statements of opening, reading and removing use the indexes") func plans() async throws {
    try await fill(delivered: 10)
    let database = try JournalStorage.connect(to: folder.file)
    func plan(_ sql: String) throws -> String {
      try database.query("EXPLAIN QUERY PLAN " + sql).compactMap(\.last?.text).joined(separator: "; ")
    }
    #expect(try plan(JournalStorage.keptSelection) == "SCAN takings USING INDEX takings_kept")
    let byOrder = try plan(JournalStorage.keptByOrder)
    #expect(byOrder.contains("SCAN kept USING INDEX takings_kept"))
    #expect(byOrder.contains("SEARCH found USING COVERING INDEX sqlite_autoindex_takings_1 (order_id=?)"))
    #expect(
      try plan(JournalStorage.selection + " WHERE order_id = ?")
        == "SEARCH takings USING INDEX sqlite_autoindex_takings_1 (order_id=?)")
    let removal = try plan(JournalStorage.removal)
    #expect(removal.contains("USING INDEX takings_removable (begun_at<?)"))
    #expect(!removal.contains("SCAN takings"))
  }

  @Test("a flipped bit in the index of the open records is found at the opening") func openIndex() async throws {
    let records = try await folder.fill(20)
    // The number of entries, the place of an entry, and an entry.
    for (place, bytes) in try folder.flipped(inPageOf: "takings_kept", [4, 9, -1]) {
      try folder.removeAll()
      try folder.write(bytes)
      let journal = try folder.open()
      #expect(journal.recovery?.lost == 0, "the byte \(place)")
      #expect(try await journal.journal.openRecords().get() == records)
      journal.close()
    }
  }

  @Test("a journal of each earlier version is upgraded with all its records", arguments: [1, 2, 3])
  func earlierVersion(version: Int) async throws {
    let records = (0..<40).map { order in
      order < 20
        ? record(order) : record(order, .ended(order == 39 ? .unknown(.expired) : .expired), isDelivered: order > 30)
    }
    do {
      let database = try Database(at: folder.file)
      let schema = Schema(steps: Array(Schema.current.steps.prefix(version)))
      try JournalStorage.upgrade(database, from: 0, to: schema)
      for record in records {
        let values = StoredRow(record, order: "\(record.intent.order)").values
        try database.query(
          "INSERT INTO takings (order_id, key, body, begun_at, change, detail, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
          values.prefix(6) + values.suffix(1))
      }
      if version > 1 { try database.query("INSERT INTO origin (id, server) VALUES (1, 'http://one.example')") }
      if version == 3 { try database.query("INSERT INTO loss VALUES (2, 'a corrupt report', '')") }
      database.close()
    }
    let listing = #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: folder.file) }
    #expect(listing?.description.contains("an earlier release wrote it. Open it once") == true)
    #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
    // Version 1 lacks the name of the server, and versions 2 and 3 can lack its checksum.
    let other = #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
    let cause = version == 1 ? "the name of its server is missing" : "it names the server http://one.example, without a"
    #expect(other?.description.contains(cause) == true)
    if version == 1 { try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://one.example") }
    do {
      let journal = try folder.open()
      #expect((journal.unacknowledgedLoss != nil) == (version == 3))
      if version == 3 { try await journal.acknowledgeLoss().get() }
      #expect(try await journal.records().get() == records)
      #expect(try await journal.journal.openRecords().get() == records.filter(\.needsResuming))
      var next = record(0, .acknowledged)
      next.lastPutAt = Moment(sinceEpoch: .seconds(1), sinceBoot: .seconds(2), boot: 3)
      try await journal.journal.write(next).get()
      journal.close()
    }
    #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
    let journal = try folder.open()
    #expect(try await journal.journal.record(0).get()?.lastPutAt?.boot == 3)
    #expect(try await journal.records().get().dropFirst() == records[1...])
  }

  @Test("a corrupt record of an earlier version is found by the upgrade") func corruptEarlierVersion() async throws {
    do {
      let database = try Database(at: folder.file)
      try JournalStorage.upgrade(database, from: 0, to: Schema(steps: Array(Schema.current.steps.prefix(2))))
      try database.execute("INSERT INTO takings VALUES (1, '7', 'k', x'00', 1, 'told expired', '', 'wrong')")
      database.close()
    }
    let journal = try folder.open()
    #expect(journal.recovery?.lostOrders == ["7"] && journal.recovery?.lost == 1)
  }

  @Test("an order whose outcome is unknown keeps its key after a flipped bit in the index of orders")
  func unknownInIndex() async throws {
    let unknown = record(1, .ended(.unknown(.expired)), isDelivered: true)
    do {
      let journal = try folder.open()
      try await journal.journal.write(unknown).get()
      journal.close()
    }
    for (place, bytes) in try folder.flipped(inPageOf: "sqlite_autoindex_takings_1", Array(0..<10) + Array(-6..<0)) {
      try folder.removeAll()
      try folder.write(bytes)
      let journal = try folder.open()
      #expect(try await journal.journal.record(1).get() == unknown, "the byte \(place)")
      #expect(try await journal.records().get() == [unknown], "the byte \(place)")
      journal.close()
    }
  }

  @Test("a flipped bit in the index of orders never returns the record of another order")
  func otherOrderInIndex() async throws {
    let accepted = record(1, .ended(.accepted(hasDetails: true)), isDelivered: true)
    do {
      let journal = try folder.open()
      try await journal.journal.write(accepted).get()
      journal.close()
    }
    for (place, bytes) in try folder.flipped(inPageOf: "sqlite_autoindex_takings_1", Array(-3..<0)) {
      for order in [0, 3, 5, 9] {
        try folder.removeAll()
        try folder.write(bytes)
        let journal = try folder.open()
        let found = try? await journal.journal.record(order).get()
        #expect(found == nil, "the byte \(place), order \(order)")
        journal.close()
      }
    }
  }

  @Test("a journal of a later version is refused and not changed") func laterVersion() async throws {
    let records = try await folder.fill(10)
    let later = Schema(steps: Schema.current.steps + ["ALTER TABLE takings ADD COLUMN note TEXT NOT NULL DEFAULT '';"])
    #expect(try JournalStorage.open(at: folder.file, schema: later).recovery == nil)
    let bytes = try folder.bytes()
    let error = #expect(throws: JournalError.self) { try folder.open() }
    #expect(error?.kind == .tooNew)
    #expect(error?.description.contains("version \(later.steps.count)") == true)
    let listing = #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: folder.file) }
    #expect(listing?.kind == .tooNew)
    #expect(try folder.bytes() == bytes && folder.names == ["journal.sqlite"])
    #expect(try JournalStorage.open(at: folder.file, schema: later).storage.rows().count == records.count)
  }

  @Test("an upgrade whose last step fails changes nothing") func failedStep() async throws {
    let records = try await folder.fill(10)
    let wrong = Schema(steps: Schema.current.steps + ["ALTER TABLE takings ADD COLUMN note TEXT; CREATE NONSENSE;"])
    #expect(throws: JournalError.self) { try JournalStorage.open(at: folder.file, schema: wrong) }
    #expect(try await folder.open().records().get() == records)
  }
}

@Suite("The server of a journal") struct ServerNameTests {
  let folder = Folder()

  @Test("a journal belongs to the server of its first opening") func otherServer() async throws {
    _ = try await folder.fill(1)
    let error = #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
    #expect(error?.kind == .otherServer)
    #expect(error?.description.contains("holds orders of http://one.example, not of http://two.example") == true)
    #expect(throws: Never.self) { try folder.open() }
  }

  @Test("a journal can be assigned to another server") func rebind() async throws {
    let records = try await folder.fill(1)
    try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://two.example")
    #expect(throws: JournalError.self) { try folder.open() }
    #expect(try await folder.open(server: "http://two.example").records().get() == records)
  }

  @Test("any flipped bit in the server's name or its checksum is reported, and the journal can be assigned again")
  func flippedName() async throws {
    let records = try await folder.fill(1)
    let bytes = try folder.bytes()
    let name = try #require(Data(bytes).range(of: Data("http://one.example".utf8)))
    for place in name.lowerBound..<name.upperBound + 64 {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 7)
      try folder.removeAll()
      try folder.write(damaged)
      let error = #expect(throws: JournalError.self) { try folder.open() }
      #expect(error?.kind == .damaged)
      #expect(error?.description.contains("the name of its server is corrupt") == true)
      try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://one.example")
      let journal = try folder.open()
      #expect(journal.recovery == nil)
      #expect(try await journal.records().get() == records)
      journal.close()
    }
  }

  @Test(
    "with any flipped bit in the page of its server's name, a journal is never assigned to another server",
    arguments: ["http://one.example", "http://one.example/" + String(repeating: "a", count: 60)])
  func flippedNamePage(server: String) async throws {
    let records = [record(0)]
    do {
      let journal = try folder.open(server: server)
      try await journal.journal.write(records[0]).get()
      journal.close()
    }
    // The record header of the row, without the texts of the name and of its checksum.
    let header = Array(-92 - server.utf8.count ..< -64 - server.utf8.count)
    for (place, bytes) in try folder.flipped(inPageOf: "origin", Array(0..<10) + header) {
      try folder.removeAll()
      try folder.write(bytes)
      let what: Comment = "the byte \(place)"
      let other = #expect(throws: JournalError.self, what) { try folder.open(server: "http://two.example") }
      let next = other?.kind == .otherServer ? "holds orders of \(server), not" : "assign it to this server"
      #expect(other?.description.contains(next) == true, what)
      #expect(other?.description.contains("Open the journal again") == false, what)
      try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://one.example")
      let journal = try folder.open()
      #expect(try await journal.records().get() == records, what)
      journal.close()
    }
  }

  @Test("a recovery that loses the server's name leaves a journal that must be assigned again")
  func salvagedWithoutName() async throws {
    let records = try await folder.fill(3)
    var bytes = try folder.bytes()
    bytes[47] ^= 1
    let name = try #require(Data(bytes).range(of: Data("http://one.example".utf8)))
    bytes.replaceSubrange(name.lowerBound - 20..<name.upperBound + 64, with: Array(repeating: 0, count: 102))
    try folder.write(bytes)
    for _ in 1...2 {
      let error = #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
      #expect(error?.kind == .damaged)
      #expect(error?.description.contains("the name of its server is missing") == true)
    }
    try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://one.example")
    #expect(try await folder.open().records().get() == records)
  }

  @Test("a salvaged journal still belongs to its server") func salvaged() async throws {
    _ = try await folder.fill(20)
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(IdempotencyKey(high: 7, low: 9).description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
    let error = #expect(throws: JournalError.self) { try folder.open(server: "http://two.example") }
    #expect(error?.kind == .otherServer)
    #expect(try folder.open().recovery?.lost == 1)
  }
}
