import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import TestSupport

/// A temporary folder with a journal for one test of `demo order`, removed with the last reference.
struct OrderFiles {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: URL { URL(filePath: temporary.path) }

  var journal: String { temporary.file("takings.sqlite") }

  /// Writes records of an earlier process into the journal.
  ///
  /// - Parameter server: The URL of the server, or `nil` for the one that the command starts.
  func store(_ records: [TakingRecord<String>], server: URL? = nil) async throws {
    let name = server?.absoluteString ?? "the server that demo order starts itself"
    let file = try SQLiteJournal<String>(at: journal, server: name)
    defer { file.close() }
    for record in records { try await file.journal.write(record).get() }
  }

  /// The records of the journal, the oldest operation first.
  func records() throws -> [TakingRecord<String>] { try SQLiteJournal.records(at: journal) }
}

extension TakingRecord<String> {
  /// An intent that an earlier process began some time ago.
  init(
    _ order: String, key: UInt64? = nil, _ checkpoint: TakingCheckpoint = .begun, age: Duration = .zero,
    isDelivered: Bool = false
  ) {
    var lastPutAt = Timers.dispatch().now()
    lastPutAt.sinceEpoch -= age
    lastPutAt.sinceBoot -= age
    let key = IdempotencyKey(high: 7, low: key ?? UInt64(order) ?? 0)
    self.init(
      intent: TakingIntent(order: order, key: key), begunAt: lastPutAt.sinceEpoch, lastPutAt: lastPutAt,
      checkpoint: checkpoint, isDelivered: isDelivered)
  }
}
