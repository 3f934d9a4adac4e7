import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

@Suite("The write-ahead log of a journal") struct WriteAheadLogTests {
  struct Snapshot: Sendable {
    let file: [UInt8]
    let log: [UInt8]
  }

  static let frame = 24 + 4_096

  func snapshots(_ records: [TakingRecord<Int>], restartingAfter count: Int? = nil) async throws -> [Snapshot] {
    let folder = Folder()
    let journal = try folder.open()
    var snapshots: [Snapshot] = []
    for (index, record) in records.enumerated() {
      if index == count {
        // The next write starts at the beginning of the log, and overwrites earlier frames.
        try await journal.writer.enqueue(.read) { storage in
          _ = try? storage.database.query("PRAGMA wal_checkpoint(RESTART)")
        }.get()
      }
      try await journal.journal.write(record).get()
      snapshots.append(Snapshot(file: try folder.bytes(), log: try folder.logBytes()))
    }
    return snapshots
  }

  func open(_ file: [UInt8], _ log: [UInt8]) async throws -> (orders: [Int], recovery: JournalRecovery?) {
    let folder = Folder()
    try folder.write(file)
    try folder.writeLog(log)
    do { return try await read(folder) } catch let error as JournalError where error.kind == .damaged {
      // The name of the server was in the damaged frame.
      try SQLiteJournal<Int>.rebind(at: folder.file, toServer: "http://one.example")
      return try await read(folder)
    }
  }

  private func read(_ folder: Folder) async throws -> (orders: [Int], recovery: JournalRecovery?) {
    let journal = try folder.open()
    defer { journal.close() }
    return (try await journal.records().get().map(\.intent.order), journal.recovery)
  }

  /// Returns the states in which a power failure can leave the sectors of the last write.
  ///
  /// Each sector is missing alone, each one is written alone, and random sets are missing.
  func tails(_ before: Snapshot, _ after: Snapshot, sector: Int, seed: UInt64) -> [[UInt8]] {
    let unchanged = zip(before.log, after.log).prefix { $0 == $1 }.count
    let sectors = unchanged / sector...(after.log.count - 1) / sector
    var numbers = SeededGenerator(seed: seed)
    let step = max(1, sectors.count / 16)
    let some = stride(from: sectors.lowerBound, through: sectors.upperBound, by: step)
    var sets: [Set<Int>] = [[]] + some.map { [$0] } + some.map { Set(sectors).subtracting([$0]) }
    for _ in 0..<8 { sets.append(Set(sectors.filter { _ in Bool.random(using: &numbers) })) }
    return sets.flatMap { written in
      // A missing sector has its old bytes, or zeros behind the synced bytes.
      [true, false].map { isZeroed in
        var log = after.log
        for index in sectors where !written.contains(index) {
          let places = max(unchanged, index * sector)..<min((index + 1) * sector, log.count)
          let old = isZeroed ? [] : before.log[places.clamped(to: 0..<before.log.count)]
          log.replaceSubrange(places, with: old + Array(repeating: 0, count: places.count - old.count))
        }
        return log
      }
    }
  }

  @Test(
    "after a power failure in any commit, all earlier records remain, and no damage is reported",
    arguments: [512, 4_096])
  func powerFailure(sector: Int) async throws {
    let records = (0..<7).map { record($0) } + [record(7, body: Array(repeating: 3, count: 9_000))]
    for (restart, last) in [(nil, 1), (nil, 7), (4, 4), (4, 5), (4, 7)] as [(Int?, Int)] {
      let snapshots = try await snapshots(records, restartingAfter: restart)
      for log in tails(snapshots[last - 1], snapshots[last], sector: sector, seed: UInt64(last)) {
        // The header of a new log is synced before its frames.
        var log = log
        if restart == last { log.replaceSubrange(0..<32, with: snapshots[last].log[0..<32]) }
        let (orders, recovery) = try await open(snapshots[last].file, log)
        #expect(recovery == nil)
        #expect(orders == Array(0..<last) || orders == Array(0...last))
      }
    }
  }

  @Test(
    "after a power failure, commits without a sync can be missing, and no damage is reported", arguments: [512, 4_096])
  func powerFailureWithoutSync(sector: Int) async throws {
    // The last four writes of an operation need no sync, so their sectors can be missing in any combination.
    let end = record(2, .ended(.accepted(hasDetails: true)))
    var delivered = end
    delivered.isDelivered = true
    let snapshots = try await snapshots(
      [record(1), record(2), record(2, .acknowledged), record(2, .accepted), end, delivered])
    for log in tails(snapshots[1], snapshots[5], sector: sector, seed: 1) {
      let (orders, recovery) = try await open(snapshots[5].file, log)
      #expect(recovery == nil)
      #expect(orders == [1, 2])
    }
  }

  @Test("any flipped bit in a commit that was synced before another write is reported") func flippedBit() async throws {
    let records = (0..<6).map { record($0) }
    let snapshots = try await snapshots(records)
    let (file, log) = (snapshots[5].file, snapshots[5].log)
    #expect(WriteAheadLog(log).damage(syncCount: 0) == nil)
    let bits = snapshots[4].log.count * 8 - 1
    try await checkNeverThrows("no synced record is lost silently", count: 60, .int(in: 0...bits)) { bit in
      var flipped = log
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let (orders, recovery) = try await open(file, flipped)
      guard recovery != nil else { throw Wrong(what: "not reported, and \(6 - orders.count) records are lost") }
      guard recovery?.lost == nil else { throw Wrong(what: "\(recovery?.lost ?? 0) lost") }
      // Only the flipped frame is lost.
      guard orders.count >= 5 else { throw Wrong(what: "only \(orders.count) records are salvaged") }
    }
  }

  @Test("a flipped bit in a page of a synced commit is reported if a commit without a sync followed")
  func flippedBitBeforeCommitWithoutSync() async throws {
    let snapshots = try await snapshots([record(0), record(1), record(1, .acknowledged)])
    let (file, log) = (snapshots[2].file, snapshots[2].log)
    let commit = WriteAheadLog(log).frames.map(\.content).filter {
      snapshots[0].log.count..<snapshots[1].log.count ~= $0.lowerBound
    }
    #expect(commit.count > 2)
    for content in commit {
      for place in stride(from: content.lowerBound + 200, to: content.upperBound, by: 801) {
        var flipped = log
        flipped[place] ^= 4
        let (orders, recovery) = try await open(file, flipped)
        #expect(recovery != nil && orders.contains(0), "the byte \(place)")
      }
    }
  }

  @Test("a file that is empty or missing beside its log is salvaged from the log", arguments: [true, false])
  func lostFile(isMissing: Bool) async throws {
    let snapshots = try await snapshots((0..<6).map { record($0) })
    let folder = Folder()
    if !isMissing { try folder.write([]) }
    try folder.writeLog(snapshots[5].log)
    let journal = try folder.open()
    let recovery = try #require(journal.recovery)
    #expect(try await journal.records().get().map(\.intent.order) == Array(0..<6))
    #expect(recovery.salvaged == 6, "\(recovery)")
    #expect("\(recovery)".contains("its file is missing or empty, but not its log"))
    #expect(recovery.damagedFile.hasSuffix("-wal") == isMissing)
    #expect(try Folder.bytes(of: recovery.damagedFile + (isMissing ? "" : "-wal")) == snapshots[5].log)
  }

  @Test("a flipped bit in the last commit loses at most that commit") func flippedBitAtEnd() async throws {
    let snapshots = try await snapshots((0..<6).map { record($0) })
    let (file, log) = (snapshots[5].file, snapshots[5].log)
    for place in stride(from: snapshots[4].log.count, to: log.count, by: 97) {
      var flipped = log
      flipped[place] ^= 4
      #expect(try await open(file, flipped).orders.starts(with: 0..<5))
    }
  }

  @Test("a log that is truncated anywhere has the records of the commits before that point") func cutOff() async throws
  {
    let snapshots = try await snapshots((0..<10).map { record($0) })
    let last = snapshots[9]
    for length in stride(from: 0, through: last.log.count, by: 1_111) {
      let (orders, recovery) = try await open(last.file, Array(last.log.prefix(length)))
      #expect(recovery == nil)
      #expect(orders == Array(0..<orders.count))
      #expect(orders.count == snapshots.count { $0.log.count <= length })
    }
  }
}
