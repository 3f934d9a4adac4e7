import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import Testing

@Suite("The times of a journal") struct TimeTests {
  let folder = Folder()
  let now = Locked(Duration.seconds(0))

  func open(_ retention: Duration? = .seconds(100)) throws -> SQLiteJournal {
    try SQLiteJournal(at: folder.file, server: "s", retention: retention, now: { [now] in now.withLock { $0 } })
  }

  func fill(_ records: [TakingRecord]) async throws {
    let journal = try open(nil)
    for written in records.map({ journal.journal.write($0) }) { try await written.get() }
    try await journal.close().get()
  }

  @Test("opening removes only delivered records of known outcome that are older than the limit") func opening()
    async throws
  {
    try await fill([
      record(1), record(2, .accepted), record(3, .ended(.expired)),
      record(4, .ended(.unknown(.expired)), isDelivered: true), record(5, .ended(.expired), isDelivered: true),
      record(6, .ended(.accepted(hasDetails: true)), isDelivered: true),
      record(7, .ended(.discarded(reason: "lost")), isDelivered: true),
      record(100, .ended(.expired), isDelivered: true), record(101, .ended(.expired), isDelivered: true),
    ])
    now.withLock { $0 = .seconds(200) }
    #expect(Set(try await open().orders()) == ["1", "2", "3", "4", "100", "101"])
  }

  @Test("an unknown outcome waits for at most an hour, also if the clock is set back") func clockSetBack() async throws
  {
    let journal = try open(nil)
    let attempt = TakingAttempt(worker: "w", startedAt: .zero, lastChangeAt: .seconds(100_000))
    let unknown = TakingRecord(
      intent: record(1).intent, begunAt: .zero, checkpoint: .ended(.unknown(.expired)), isDelivered: true,
      attempts: [attempt])
    try await journal.journal.write(unknown).get()
    for (seconds, count) in [(100_000, 0), (100_059, 0), (100_060, 1), (99_000, 0), (90_000, 1)] {
      now.withLock { $0 = .seconds(seconds) }
      #expect(try await journal.journal.dueRecords(1_000, []).get().count == count, "at \(seconds)")
      #expect(try await journal.storage.dueDrivers().get().count == count)
      #expect(try await journal.storage.summary().get().dueCount == count)
    }
    try await journal.close().get()
  }
}
