import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("A loss of records") struct LossTests {
  let folder = Folder()

  func damage(_ order: Int) throws {
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data(IdempotencyKey(high: 7, low: UInt64(order)).description.utf8)))
    bytes[place.lowerBound] ^= 1
    try folder.write(bytes)
  }

  @Test("a loss is reported at each opening until it is acknowledged") func repeated() async throws {
    _ = try await folder.fill(5)
    try damage(3)
    var report: JournalRecovery?
    for _ in 0..<3 {
      let journal = try folder.open()
      let recovery = try #require(journal.recovery)
      #expect(recovery.lost == 1 && recovery.lostOrders == ["3"] && recovery.salvaged == 4)
      #expect(report == nil || report == recovery)
      #expect(journal.unacknowledgedLoss == recovery)
      report = recovery
      journal.close()
    }
    do {
      let journal = try folder.open()
      try await journal.acknowledgeLoss().get()
      #expect(journal.unacknowledgedLoss == nil)
      journal.close()
    }
    let journal = try folder.open()
    #expect(journal.recovery == nil && journal.unacknowledgedLoss == nil)
  }

  @Test("a second loss adds to a loss that was not acknowledged") func second() async throws {
    _ = try await folder.fill(5)
    try damage(3)
    try folder.open().close()
    try damage(1)
    try folder.open().close()
    let recovery = try folder.open().recovery
    #expect(recovery?.lost == 2 && recovery?.lostOrders == ["1", "3"] && recovery?.salvaged == 3)
    #expect(recovery?.damagedFile.hasSuffix(".damaged-2") == true)
    #expect(recovery?.damage.contains("journal.sqlite.damaged-1") == true)
  }

  @Test(
    "a journal of which nothing is left is reported at each opening, as a loss of an unknown number of records",
    arguments: [1, 100, 4_096])
  func nothingLeft(count: Int) async throws {
    _ = try await folder.fill(5)
    try folder.write(Array(try folder.bytes().prefix(count)))
    for _ in 1...2 {
      let journal = try folder.open()
      let loss = try #require(journal.unacknowledgedLoss)
      #expect(loss.lost == nil && loss.salvaged == 0 && loss == journal.recovery)
      #expect("\(loss)".contains("0 records salvaged, an unknown number lost"))
      let json = String(decoding: try JSONEncoder().encode(loss), as: UTF8.self)
      #expect(json.contains(#""lost":null"#))
      journal.close()
    }
  }

  @Test("a file of 0 bytes is a new journal") func empty() async throws {
    _ = try await folder.fill(5)
    try folder.write([])
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get().isEmpty)
  }

  @Test("a recovery that loses nothing is reported once") func nothingLost() async throws {
    let records = try await folder.fill(5)
    var bytes = try folder.bytes()
    bytes[47] ^= 1
    try folder.write(bytes)
    do {
      let journal = try folder.open()
      #expect(journal.recovery?.lost == 0 && journal.unacknowledgedLoss == nil)
      #expect(journal.recovery?.description.contains("Take each lost order") == false)
      journal.close()
    }
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get() == records)
  }

  @Test("a corrupt report is reported as a loss of unknown size") func corruptReport() async throws {
    _ = try await folder.fill(5)
    try damage(3)
    try folder.open().close()
    var bytes = try folder.bytes()
    let place = try #require(Data(bytes).range(of: Data("\"lost\"".utf8)))
    bytes[place.lowerBound + 1] ^= 1
    try folder.write(bytes)
    let journal = try folder.open()
    #expect(journal.unacknowledgedLoss?.lost == nil && journal.unacknowledgedLoss?.damage == "the report is corrupt")
  }

  @Test("with any flipped bit in the page of its report, a loss is reported until it is acknowledged")
  func flippedReportPage() async throws {
    _ = try await folder.fill(5)
    try damage(3)
    try folder.open().close()
    var damages: Set<String> = []
    for (place, bytes) in try folder.flipped(inPageOf: "loss", Array(0..<10) + Array(-260 ..< -230)) {
      try folder.removeAll()
      try folder.write(bytes)
      let what: Comment = "the byte \(place)"
      // Reading reports the loss, or fails.
      do { #expect(try SQLiteJournal<Int>.unacknowledgedLoss(at: folder.file) != nil, what) } catch {
        #expect(error.kind == .damaged, what)
      }
      for _ in 1...2 {
        let journal = try folder.open()
        #expect(journal.unacknowledgedLoss != nil, what)
        if let damage = journal.recovery?.damage { damages.insert(damage) }
        #expect(try await journal.records().get().count == 4, what)
        journal.close()
      }
      do {
        let journal = try folder.open()
        try await journal.acknowledgeLoss().get()
        journal.close()
      }
      let journal = try folder.open()
      #expect(journal.recovery == nil && journal.unacknowledgedLoss == nil, what)
      journal.close()
    }
    // The findings of SQLite without the line that names only the database.
    #expect(damages.contains { $0.hasPrefix("its structure is corrupt (") })
    #expect(damages.allSatisfy { !$0.contains("***") && !$0.contains("\n") })
  }
}
