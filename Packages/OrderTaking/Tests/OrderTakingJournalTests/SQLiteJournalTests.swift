import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingTesting
import TestSupport
import Testing

@Suite("A journal in an SQLite file") struct SQLiteJournalTests {
  let folder = Folder()

  func record(_ order: Int, _ change: TakingChange = .begun, body: [UInt8] = []) -> TakingRecord<Int> {
    TakingRecord(
      intent: TakingIntent(order: order, key: IdempotencyKey(high: 1, low: UInt64(order)), body: body),
      begunAt: .seconds(order), change: change)
  }

  @Test("gives back what was written, after it was closed, in the order of beginning") func roundTrip() throws {
    let outcomes: [TakingOutcome] = [
      .accepted(hasDetails: true), .accepted(hasDetails: false), .declined(reason: "late, ünd 'quoted'; DROP\0"),
      .rejected(status: 404), .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded, .unknown(.cancelled),
      .unknown(.expired), .unknown(.refused(status: 403)),
    ]
    let changes = [.begun, .acknowledged, .accepted] + outcomes.map { TakingChange.ended($0) }
    let records = changes.enumerated().map { record($0, $1, body: Array(repeating: UInt8($0), count: $0)) }
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      #expect(journal.recovery == nil)
      for record in records.reversed() { try journal.journal.write(record) }
      journal.close()
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    #expect(journal.recovery == nil)
    #expect(try journal.journal.records() == records)
    for record in records { #expect(try journal.journal.record(record.intent.order) == record) }
    #expect(try journal.journal.record(99) == nil)
  }

  @Test("keeps one record of each order, the last, and forgets on request") func replacing() throws {
    let journal = try SQLiteJournal<Int>(at: folder.file).journal
    try journal.write(record(1))
    try journal.write(record(2))
    try journal.write(record(1, .accepted))
    #expect(try journal.records() == [record(1, .accepted), record(2)])
    try journal.forget(1)
    try journal.forget(1)
    #expect(try journal.records() == [record(2)])
  }

  @Test("only the owner can read the files of a new journal") func permissions() throws {
    let journal = try SQLiteJournal<Int>(at: folder.file)
    try journal.journal.write(record(1))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 3)
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    journal.close()
  }

  @Test("opening a journal fails while it is open elsewhere, and works afterwards") func locked() throws {
    let first = try SQLiteJournal<Int>(at: folder.file)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file) }
    #expect(error?.kind == .inUse)
    #expect(error?.description.contains("\(folder.file): it is locked, because it is already open in this") == true)
    try first.journal.write(record(1))
    first.close()
    first.close()
    let afterwards = #expect(throws: JournalError.self) { try first.journal.write(record(2)) }
    #expect(afterwards?.description.contains("it is closed") == true)
    #expect(try SQLiteJournal<Int>(at: folder.file).journal.records().count == 1)
  }

  @Test("is an error that names the path when it cannot be made") func noDirectory() {
    let path = folder.path + "/none/journal.sqlite"
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: path) }
    #expect(error?.kind == .storage)
    #expect(error?.description.contains(path) == true)
  }

  @Test("is no name that SQLite takes for something else than a file", arguments: ["", ":memory:", "file:journal"])
  func noFile(path: String) {
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: path) }
    #expect(error?.kind == .storage && error?.description.contains("Use a path such as") == true)
  }

  @Test("a journal stays assigned to one server after it is closed") func server() throws {
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      try journal.assign(toServer: "http://one.example")
      try journal.assign(toServer: "http://one.example")
      journal.close()
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let error = #expect(throws: JournalError.self) { try journal.assign(toServer: "http://two.example") }
    #expect(error?.kind == .otherServer)
    #expect(error?.description.contains("holds orders of http://one.example, not of http://two.example") == true)
    try journal.assign(toServer: "http://one.example")
  }

  @Test("is locked under each of its names") func otherNames() throws {
    let first = try SQLiteJournal<Int>(at: folder.file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/other.sqlite", withDestinationPath: folder.file)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.path + "/other.sqlite") }
    #expect(error?.kind == .inUse)
    first.close()
  }

  @Test("does not take one order's name for another's") func names() throws {
    do {
      let journal = try SQLiteJournal<String>(at: folder.file)
      try journal.journal.write(
        TakingRecord(intent: TakingIntent(order: "seven", key: IdempotencyKey(high: 0, low: 1)), begunAt: .zero))
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let error = #expect(throws: JournalError.self) { try journal.journal.records() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("\"seven\"") == true)
  }

  @Test("carries operations over to the next process") func resume() throws {
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      let experiment = Experiment<Int, String>(putRequestResults: [.none, .processing, .accepted, .declined("late")])
      let taker = experiment.setup(journal: journal.journal)
      for order in 1...4 { taker.take(order, body: [UInt8(order)]) }
      journal.close()
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let experiment = Experiment<Int, String>(
      putRequestResults: [.accepted], getRequestResults: [.accepted],
      orderDetailsResults: (1...3).map { .details("details \($0)") })
    let resumed = try experiment.setup(journal: journal.journal).resume()
    #expect(resumed.map(\.order).sorted() == [1, 2, 3])
    #expect(resumed.allSatisfy { $0.future.value?.details != nil })
    #expect(Set(experiment.requests.compactMap(\.key?.low)) == [1, 2])
    #expect(try journal.journal.records().allSatisfy { !$0.isUnfinished })
  }

  @Test("knows after it was closed what was delivered, and tells it from a later wish") func deliveries() throws {
    let ends = [
      TakingOutcome.accepted(hasDetails: true), .declined(reason: "late"), .unknown(.refused(status: 403)), .expired,
    ]
    let records = ends.enumerated().map { record($0, .ended($1)) }
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      for record in records { try journal.journal.write(record) }
      for record in records { try journal.journal.noteDelivery(record) }
      // A later wish for an order of which a delivery comes late, and one that nobody knows.
      let later = TakingRecord(
        intent: TakingIntent(order: 1, key: IdempotencyKey(high: 9, low: 9)), begunAt: .seconds(1))
      try journal.journal.write(later)
      try journal.journal.noteDelivery(records[1])
      try journal.journal.noteDelivery(record(77, .ended(.expired)))
      journal.close()
    }
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let found = try journal.journal.records()
    #expect(found.map(\.isDelivered) == [true, false, true, true])
    #expect(found.map(\.change) == [.ended(ends[0]), .begun, .ended(ends[2]), .ended(ends[3])])
    #expect(found.filter(\.needsResuming).map(\.intent.order) == [1])
    #expect(journal.recovery == nil)
  }

  @Test("notes deliveries by itself, soon", .timeLimit(.minutes(1))) func deliveryAlone() async throws {
    let journal = try SQLiteJournal<Int>(at: folder.file)
    try journal.journal.write(record(1, .ended(.expired)))
    try journal.journal.noteDelivery(record(1, .ended(.expired)))
    // In the file itself, which nobody has looked into through the journal since.
    let told = Array("told expired".utf8)
    let log = URL(fileURLWithPath: folder.file + "-wal")
    while try !Data(contentsOf: log).contains(told) {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(try journal.journal.record(1)?.isDelivered == true)
  }

  @Test("a journal contains the intent and its state, but no details") func noDetails() throws {
    let journal = try SQLiteJournal<Int>(at: folder.file)
    let experiment = Experiment<Int, String>(
      putRequestResults: [.accepted], orderDetailsResults: [.details("the customer's address")])
    experiment.setup(journal: journal.journal).take(7)
    #expect(try journal.journal.record(7)?.change == .ended(.accepted(hasDetails: true)))
    journal.close()
    let bytes = Data(try folder.bytes())
    #expect(bytes.contains(Array("ended accepted".utf8)) || bytes.contains(Array("told accepted".utf8)))
    #expect(!bytes.contains(Array("address".utf8)))
  }

  @Test("can be used from many threads") func threads() async throws {
    let journal = try SQLiteJournal<Int>(at: folder.file).journal
    try await hammer(threads: 4) { thread, _ in
      for round in 0..<5 {
        try journal.write(record(thread * 100 + round))
        _ = try journal.records()
      }
    }
    #expect(try journal.records().count == 20)
  }
}

extension Data {
  fileprivate func contains(_ bytes: [UInt8]) -> Bool { range(of: Data(bytes)) != nil }
}

/// A folder that is removed with the test.
final class Folder: Sendable {
  // In memory where there is such a place: `synchronous=FULL` waits for a disk, and these tests are not about disks.
  let path =
    (FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory() + "/")
    + "journal-\(UUID().uuidString)"

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/journal.sqlite" }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }
}
