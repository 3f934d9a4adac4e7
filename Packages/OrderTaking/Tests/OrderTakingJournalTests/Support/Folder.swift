import Foundation
import Futures
import OrderTaking
import OrderTakingJournal

final class Folder: Sendable {
  // In memory if possible, because most of these tests need no durable disk.
  let path =
    (FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory() + "/")
    + "journal-\(UUID().uuidString)"

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/takings.sqlite" }

  var log: String { file + "-wal" }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes(of file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

  func write(_ bytes: Data, to file: String) throws { try bytes.write(to: URL(fileURLWithPath: file)) }

  func move(_ from: String, to: String) throws { try FileManager.default.moveItem(atPath: from, toPath: to) }

  func open(
    server: String = "http://one.example", retention: Duration? = nil
  ) throws(JournalError) -> SQLiteJournal {
    try SQLiteJournal(at: file, server: server, retention: retention)
  }

  /// Writes records of the driver `driver`, and closes the journal.
  func fill(_ records: [TakingRecord]) async throws {
    let journal = try open()
    for written in records.map({ journal.journal(of: "driver").write($0) }) { try await written.get() }
    try await journal.close().get()
  }
}

extension SQLiteJournal {
  var journal: Journal { journal(of: "driver") }

  func orders() async throws -> [OrderID] {
    try await storage.list(RecordQuery(limit: 100_000)).get().map(\.record.intent.order)
  }
}

/// A record whose number is also the second at which it began.
func record(
  _ number: Int, _ checkpoint: TakingCheckpoint = .begun, body: [UInt8] = [], key: UInt64 = 7, isDelivered: Bool = false
) -> TakingRecord {
  TakingRecord(
    intent: TakingIntent(order: Name(number), key: IdempotencyKey(high: key, low: UInt64(number)), body: body),
    begunAt: .seconds(number), checkpoint: checkpoint, isDelivered: isDelivered)
}
