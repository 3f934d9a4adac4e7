import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingTesting
import TestSupport
import Testing

@Suite("A journal in an SQLite file") struct SQLiteJournalTests {
  let folder = Folder()

  @Test("a journal that is closed and opened again returns every kind of record unchanged") func roundTrip()
    async throws
  {
    let outcomes: [TakingOutcome] = [
      .accepted(hasDetails: true), .accepted(hasDetails: false), .declined(reason: "late, ünd 'quoted'; DROP\0"),
      .rejected(status: 404), .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded, .unknown(.cancelled),
      .unknown(.expired), .unknown(.refused(status: 403)), .unknown(.journal), .unknown(.fenced),
    ]
    let checkpoints = [.begun, .acknowledged, .accepted] + outcomes.map { TakingCheckpoint.ended($0) }
    var records = checkpoints.enumerated().map { record($0, $1, body: Array(repeating: UInt8($0), count: $0)) }
    records[0].lastPutAt = Moment(sinceEpoch: .nanoseconds(-1), sinceBoot: .nanoseconds(Int64.max), boot: .max)
    records[3].lastPutAt = Moment(sinceEpoch: .seconds(3), sinceBoot: .zero, boot: 0)
    records[4].isDelivered = true
    do {
      let journal = try folder.open()
      #expect(journal.recovery == nil)
      for record in records.reversed() { try await journal.journal.write(record).get() }
      journal.close()
    }
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get() == records)
    #expect(try await journal.journal.openRecords().get() == records.filter(\.needsResuming))
    for record in records { #expect(try await journal.journal.record(record.intent.order).get() == record) }
    #expect(try await journal.journal.record(99).get() == nil)
  }

  @Test("a second write of an order replaces its record") func replacing() async throws {
    let journal = try folder.open()
    _ = journal.journal.write(record(1))
    _ = journal.journal.write(record(2))
    _ = journal.journal.write(record(1, .accepted))
    #expect(try await journal.records().get() == [record(1, .accepted), record(2)])
  }

  @Test("only the owner can read the files of a new journal") func permissions() async throws {
    let journal = try folder.open()
    try await journal.journal.write(record(1)).get()
    #expect(folder.names.count == 4)
    for name in folder.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    journal.close()
    #expect(folder.names == ["journal.sqlite"])
  }

  @Test("opening a journal fails while it is open elsewhere, and works afterwards") func locked() async throws {
    let first = try folder.open()
    let error = #expect(throws: JournalError.self) { try folder.open() }
    #expect(error?.kind == .inUse)
    #expect(error?.description.contains("\(folder.file): it is locked, because it is already open in this") == true)
    let written = first.journal.write(record(1))
    first.close()
    first.close()
    try await written.get()
    let late = await #expect(throws: JournalError.self) { try await first.journal.write(record(2)).get() }
    #expect(late?.kind == .storage && late?.description.contains("it is closed") == true)
    #expect(try await folder.open().records().get().count == 1)
  }

  @Test("the error of a journal in a missing folder names the path") func noFolder() {
    let path = folder.path + "/none/journal.sqlite"
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: path, server: "s") }
    #expect(error?.kind == .storage)
    #expect(error?.description.contains(path) == true)
  }

  @Test("a path that SQLite reads differently is refused", arguments: ["", ":memory:", "file:journal"])
  func noFile(path: String) {
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: path, server: "s") }
    #expect(error?.kind == .storage && error?.description.contains("Use a path such as") == true)
  }

  @Test("a path whose last part is empty, '.' or '..' is refused", arguments: ["/", "/.", "/x/.."])
  func folderPath(end: String) async throws {
    _ = try await folder.fill(1)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file + end, server: "s") }
    #expect(error?.description.contains("it is not a regular file") == true)
  }

  @Test("a journal is locked under each name of its file") func otherNames() throws {
    let first = try folder.open()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/other.sqlite", withDestinationPath: folder.file)
    let error = #expect(throws: JournalError.self) {
      try SQLiteJournal<Int>(at: folder.path + "/other.sqlite", server: "s")
    }
    #expect(error?.kind == .inUse)
    first.close()
  }

  @Test("a journal is locked under a relative path that leaves a linked folder with '..'")
  func relativePath() throws {
    let first = try folder.open()
    try FileManager.default.createDirectory(atPath: folder.path + "/below", withIntermediateDirectories: false)
    let links = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: links.path + "/link", withDestinationPath: folder.path + "/below")
    // A path from the working directory, which other tests use too.
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let path = String(repeating: "../", count: depth) + links.path.dropFirst() + "/link/../"
    let error = #expect(throws: JournalError.self) {
      try SQLiteJournal<Int>(at: path + URL(fileURLWithPath: folder.file).lastPathComponent, server: "s")
    }
    #expect(error?.kind == .inUse)
    first.close()
  }

  @Test("a symbolic link to a missing file creates that file, and locks it", arguments: [true, false])
  func danglingLink(isRelative: Bool) async throws {
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: isRelative ? "journal.sqlite" : folder.file)
    let first = try SQLiteJournal<Int>(at: link, server: "http://one.example")
    #expect(folder.names.contains("journal.sqlite.lock"))
    let error = #expect(throws: JournalError.self) { try folder.open() }
    #expect(error?.kind == .inUse)
    try await first.journal.write(record(1)).get()
    // Under both names, a listing finds the log.
    for path in [link, folder.file] { #expect(try SQLiteJournal<Int>.records(at: path) == [record(1)]) }
    first.close()
    #expect(try await folder.open().records().get() == [record(1)])
  }

  @Test("the recovery of a journal behind a symbolic link replaces the file, and not the link")
  func damageBehindLink() async throws {
    let records = try await folder.fill(2)
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file)
    var bytes = try folder.bytes()
    bytes[47] ^= 1
    try folder.write(bytes)
    let journal = try SQLiteJournal<Int>(at: link, server: "http://one.example")
    #expect(journal.recovery?.damagedFile == folder.file + ".damaged-1")
    #expect(throws: JournalError.self) { try folder.open() }
    #expect(try await journal.records().get() == records)
    journal.close()
    #expect(folder.names == ["journal.sqlite", "journal.sqlite.damaged-1", "link.sqlite"])
  }

  @Test("a journal with a second hard link is refused under each name") func hardLink() async throws {
    _ = try await folder.fill(1)
    let other = folder.path + "/other.sqlite"
    try FileManager.default.linkItem(atPath: folder.file, toPath: other)
    for path in [folder.file, other] {
      let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: path, server: "http://one.example") }
      #expect(error?.description.contains("its file has 2 names (hard links)") == true)
      #expect(error?.description.contains("Remove the other names, or use a copy of the file.") == true)
      #expect(throws: JournalError.self) { try SQLiteJournal<Int>.records(at: path) }
    }
    try FileManager.default.removeItem(atPath: other)
    #expect(throws: Never.self) { try folder.open() }
  }

  @Test("the error of a record whose order cannot be decoded contains the order") func names() async throws {
    do {
      let journal = try SQLiteJournal<String>(at: folder.file, server: "http://one.example")
      let intent = TakingIntent(order: "seven", key: IdempotencyKey(high: 0, low: 1))
      try await journal.journal.write(TakingRecord(intent: intent, begunAt: .zero)).get()
      journal.close()
    }
    let journal = try folder.open()
    let error = await #expect(throws: JournalError.self) { try await journal.records().get() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("\"seven\"") == true)
  }

  @Test("a taker finishes the operations of the last process") func resume() async throws {
    do {
      let journal = try folder.open()
      let experiment = Experiment<Int, String>(putRequestResults: [.none, .processing, .accepted, .declined("late")])
      let taker = experiment.setup(journal: journal.journal)
      for order in 1...4 {
        _ = taker.take(order, body: [UInt8(order)])
        try await poll(while: experiment.count(of: .put) < order)
      }
      // The declined order ends by itself. Then all earlier checkpoints are written too.
      try await poll(while: await journal.journal.record(4).get()?.isDelivered != true)
      journal.close()
    }
    let journal = try folder.open()
    let experiment = Experiment<Int, String>(
      putRequestResults: [.accepted], getRequestResults: [.accepted],
      orderDetailsResults: (1...3).map { .details("details \($0)") })
    let resumed = try await experiment.setup(journal: journal.journal).resume().get()
    #expect(resumed.map(\.order).sorted() == [1, 2, 3])
    for operation in resumed { #expect(try await operation.future.get().details != nil) }
    #expect(Set(experiment.requests.compactMap(\.key?.low)) == [1, 2])
    #expect(try await journal.records().get().allSatisfy { !$0.isUnfinished })
  }

  @Test("an acknowledgement does not change a later record of the order") func acknowledgements() async throws {
    let ends: [TakingOutcome] = [
      .accepted(hasDetails: true), .declined(reason: "late"), .unknown(.refused(status: 403)), .expired,
    ]
    let records = ends.enumerated().map { record($0, .ended($1)) }
    do {
      let journal = try folder.open().journal
      for record in records { _ = journal.write(record) }
      for record in records { _ = journal.acknowledge(record) }
      // A later intent for an order whose acknowledgement is late, and an unknown order.
      _ = journal.write(record(1, key: 9))
      _ = journal.acknowledge(records[1])
      try await journal.acknowledge(record(77, .ended(.expired))).get()
    }
    let journal = try folder.open()
    let found = try await journal.records().get()
    #expect(found.map(\.isDelivered) == [true, false, true, true])
    #expect(found.map(\.checkpoint) == [.ended(ends[0]), .begun, .ended(ends[2]), .ended(ends[3])])
    #expect(try await journal.journal.openRecords().get() == [record(1, key: 9)])
  }

  @Test("a journal contains the intent and its state, but no details") func noDetails() async throws {
    let journal = try folder.open()
    let experiment = Experiment<Int, String>(
      putRequestResults: [.accepted], orderDetailsResults: [.details("the customer's address")])
    _ = try await experiment.setup(journal: journal.journal).take(7).get()
    #expect(try await journal.journal.record(7).get()?.checkpoint == .ended(.accepted(hasDetails: true)))
    journal.close()
    let bytes = Data(try folder.bytes())
    #expect(bytes.range(of: Data(" accepted".utf8)) != nil)
    #expect(bytes.range(of: Data("address".utf8)) == nil)
  }

  @Test("many threads can use a journal") func threads() async throws {
    let journal = try folder.open()
    await hammer(threads: 4) { thread, _ in
      for round in 0..<25 {
        _ = journal.journal.write(record(thread * 100 + round))
        _ = journal.records()
      }
    }
    #expect(try await journal.records().get().count == 100)
  }
}
