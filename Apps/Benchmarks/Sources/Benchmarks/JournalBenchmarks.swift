import BenchmarkHarness
import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import Synchronization

/// The benchmarks of the journal in an SQLite file on a disk, against rows that plain SQLite writes.
///
/// An iteration includes the opening of a new journal. Each taking reads its record, writes that it begins, with a sync, and writes its
/// acceptance, its end and its acknowledgement.
let orderJournal: [Benchmark] = [
  .ratio("journal: 320 takings, one at a time", atMost: 3, to: "rows in a synced commit each") {
    try await take(320, atOnce: 1)
  } baseline: {
    try writeRows(320, inEachCommit: 1)
  },
  .ratio("journal: 1,280 takings, 64 at the same time", atMost: 2.5, to: "64 rows in a synced commit") {
    try await take(1_280, atOnce: 64)
  } baseline: {
    try writeRows(1_280, inEachCommit: 64)
  },
]

private let body = Array(repeating: UInt8(7), count: 100)
private let row = String(repeating: "r", count: 500)

/// Takes orders with a server that accepts each PUT.
private func take(_ count: Int, atOnce: Int) async throws -> Int {
  let file = try SQLiteJournal(at: temporaryFile("journal.sqlite"), server: "none")
  let client = OrderHTTPClient<OrderID>(
    take: { _ in Future(value: .accepted) }, takingOperationStatus: { _ in Future(value: .accepted) },
    acceptedOrderDetails: { Future(value: $0) })
  let taker = OrderTaker(
    httpClient: client, journal: file.journal(of: "driver"), policy: .deck, deliveringOn: immediateExecutionContext)
  let end = Promise<Void, Never>()
  let remaining = Atomic(count)
  @Sendable func takeNext(_ order: Int) {
    guard order < count else { return }
    taker.take(OrderID(order), body: body).onComplete(immediateExecutionContext) { result in
      precondition((try? result.get().details) == OrderID(order))
      if remaining.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { end.success(()) }
      takeNext(order + atOnce)
    }
  }
  for order in 0..<atOnce { takeNext(order) }
  await end.future.get()
  try await file.close().get()
  return count
}

private func writeRows(_ count: Int, inEachCommit size: Int) throws -> Int {
  let database = try Database(at: temporaryFile("plain.sqlite"))
  try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON")
  try database.execute(
    "CREATE TABLE takings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL)")
  for start in stride(from: 0, to: count, by: size) {
    try database.execute("BEGIN IMMEDIATE")
    for id in start..<start + size {
      try database.query("INSERT INTO takings (name, body) VALUES (?, ?)", [.text("order \(id)"), .text(row)])
    }
    try database.execute("COMMIT")
  }
  return count
}
