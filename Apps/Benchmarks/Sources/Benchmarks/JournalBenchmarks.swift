import BenchmarkHarness
import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import Synchronization

/// The benchmarks of the journal in an SQLite file on a disk.
///
/// An iteration is 1,280 takings and includes the opening of a new journal. Each taking reads its record, writes that it begins, with a
/// sync, and writes its acceptance, its end and its acknowledgement. The baselines write 1,280 rows with plain SQLite.
let orderJournal: [Benchmark] = [
  Benchmark(
    name: "journal: 1,280 rows, each in a synced commit, SQLite",
    subject: .duration { iterations in JournalLoad.writeRows(iterations * 1_280, inEachCommit: 1) }),
  Benchmark(
    name: "journal: 1,280 takings, one at a time", baseline: "journal: 1,280 rows, each in a synced commit, SQLite",
    budget: .ratio(atMost: 3),
    subject: .duration { iterations in await JournalLoad.take(iterations * 1_280, atOnce: 1) }),
  Benchmark(
    name: "journal: 1,280 rows, 64 in a synced commit, SQLite",
    subject: .duration { iterations in JournalLoad.writeRows(iterations * 1_280, inEachCommit: 64) }),
  Benchmark(
    name: "journal: 1,280 takings, 64 at the same time",
    baseline: "journal: 1,280 rows, each in a synced commit, SQLite",
    budget: .ratio(atMost: 0.5),
    subject: .duration { iterations in await JournalLoad.take(iterations * 1_280, atOnce: 64) }),
]

enum JournalLoad {
  /// Takes orders with a server that accepts each PUT.
  static func take(_ count: Int, atOnce: Int) async {
    let folder = Folder()
    let journal: SQLiteJournal<Int>
    do { journal = try SQLiteJournal(at: folder.path + "/journal.sqlite", server: "none") } catch {
      preconditionFailure("\(error)")
    }
    await take(0..<count, atOnce: atOnce, with: journal.journal)
    journal.close()
  }

  /// Takes orders with a server that accepts each PUT.
  static func take(_ orders: Range<Int>, atOnce: Int, with journal: Journal<Int>) async {
    let client = OrderHTTPClient<Int, Int>(
      take: { _ in Future(value: .accepted) }, takingOperationStatus: { _ in Future(value: .accepted) },
      acceptedOrderDetails: { Future(value: $0) })
    let taker = OrderTaker(
      httpClient: client, journal: journal, policy: .deck, deliveringOn: immediateExecutionContext)
    let end = Promise<Void, Never>()
    let remaining = Atomic(orders.count)
    @Sendable func takeNext(_ order: Int) {
      guard orders.contains(order) else { return }
      taker.take(order, body: body).onComplete(immediateExecutionContext) { result in
        precondition((try? result.get().details) == order)
        if remaining.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { end.success(()) }
        takeNext(order + atOnce)
      }
    }
    for order in orders.prefix(atOnce) { takeNext(order) }
    await end.future.get()
  }

  /// Writes rows with plain SQLite.
  static func writeRows(_ count: Int, inEachCommit size: Int) {
    let folder = Folder()
    do {
      let database = try Database(at: folder.path + "/plain.sqlite")
      try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON")
      try database.execute(
        "CREATE TABLE takings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body BLOB NOT NULL)")
      for start in stride(from: 0, to: count, by: size) {
        try database.execute("BEGIN IMMEDIATE")
        for id in start..<start + size {
          try database.query("INSERT INTO takings (name, body) VALUES (?, ?)", [.text("order \(id)"), .blob(body)])
        }
        try database.execute("COMMIT")
      }
    } catch { preconditionFailure("\(error)") }
  }

  static let body = Array(repeating: UInt8(7), count: 100)

  /// A folder on a disk, which is removed at the end.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "/journal-benchmark-\(UUID().uuidString)"

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }
}
