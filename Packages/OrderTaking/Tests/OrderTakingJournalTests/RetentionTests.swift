import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingJournal

@Suite("The retention of a journal") struct RetentionTests {
  let folder = Folder()
  let now = Locked(Duration.seconds(0))

  func open(_ retention: JournalRetention = JournalRetention(deliveredRecords: .seconds(100))) throws -> SQLiteJournal<
    Int
  > {
    try SQLiteJournal(at: folder.file, server: "s", retention: retention, now: { [now] in now.withLock { $0 } })
  }

  func orders(_ journal: SQLiteJournal<Int>) async throws -> [Int] {
    try await journal.records().get().map(\.intent.order)
  }

  @Test("opening removes only delivered records of known outcome that are older than the limit") func opening()
    async throws
  {
    do {
      let journal = try open(.forever)
      for next in [
        record(1), record(2, .accepted), record(3, .ended(.expired)),
        record(4, .ended(.unknown(.expired)), isDelivered: true),
        record(5, .ended(.expired), isDelivered: true),
        record(6, .ended(.accepted(hasDetails: true)), isDelivered: true),
        record(100, .ended(.expired), isDelivered: true), record(101, .ended(.expired), isDelivered: true),
      ] { _ = journal.journal.write(next) }
      now.withLock { $0 = .seconds(200) }
      #expect(try await orders(journal).count == 8)
      journal.close()
    }
    let journal = try open()
    #expect(try await orders(journal) == [1, 2, 3, 4, 100, 101])
    #expect(journal.recovery == nil)
  }

  @Test("by default, delivered records are kept for 30 days") func standard() async throws {
    let day = 86_400
    func open() throws -> SQLiteJournal<Int> {
      try SQLiteJournal(at: folder.file, server: "s", now: { [now] in now.withLock { $0 } })
    }
    do {
      let journal = try open()
      for order in [1, day] { _ = journal.journal.write(record(order, .ended(.expired), isDelivered: true)) }
      #expect(try await orders(journal) == [1, day])
      journal.close()
    }
    for (days, left) in [(30, [1, day]), (31, [day])] {
      now.withLock { $0 = .seconds(days * day) }
      let journal = try open()
      #expect(try await orders(journal) == left)
      journal.close()
    }
  }

  @Test("old records are removed in batches until none is left") func batches() async throws {
    do {
      let journal = try open(.forever)
      for order in 0..<600 { _ = journal.journal.write(record(order, .ended(.expired), isDelivered: true)) }
      #expect(try await orders(journal).count == 600)
      journal.close()
    }
    now.withLock { $0 = .seconds(10_000) }
    let journal = try open()
    var counts = [try await orders(journal).count]
    while let last = counts.last, last > 0 {
      let count = try await orders(journal).count
      if count != last { counts.append(count) }
    }
    #expect(counts.allSatisfy { [600, 344, 88, 0].contains($0) })
  }

  @Test("every 256th write removes old records too") func writing() async throws {
    let journal = try open()
    for order in 0..<10 { _ = journal.journal.write(record(order, .ended(.expired), isDelivered: true)) }
    now.withLock { $0 = .seconds(10_000) }
    for order in 10..<255 { _ = journal.journal.write(record(order)) }
    #expect(try await orders(journal).count == 255)
    for order in 255..<257 { _ = journal.journal.write(record(order)) }
    #expect(try await orders(journal) == Array(10..<257))
  }

  @Test("a removed record leaves no bytes in the file") func noBytes() async throws {
    let body = Array("the customer's secret".utf8)
    do {
      let journal = try open(.forever)
      _ = journal.journal.write(record(1, .ended(.expired), body: body, isDelivered: true))
      try await journal.journal.write(record(2)).get()
      journal.close()
    }
    #expect(Data(try folder.bytes()).range(of: Data(body)) != nil)
    now.withLock { $0 = .seconds(10_000) }
    let journal = try open()
    #expect(try await orders(journal) == [2])
    journal.close()
    #expect(Data(try folder.bytes()).range(of: Data(body)) == nil)
  }
}
