import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import TestSupport

/// A temporary folder with the journal of one test.
struct OrderFiles {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: URL { URL(filePath: temporary.path) }

  var journal: String { temporary.file("takings.sqlite") }

  /// Writes records of an earlier process into the journal.
  ///
  /// - Parameter server: The URL of the server, or `nil` for the one that the command starts.
  func store(_ records: [TakingRecord], server: URL? = nil) async throws {
    let name = server?.absoluteString ?? "the server that demo order starts itself"
    let file = try SQLiteJournal(at: journal, server: name)
    for record in records { try await file.journal(of: "driver").write(record).get() }
    try await file.close().get()
  }

  func records() async throws -> [TakingRecord] {
    let server = try Database(at: journal).query("SELECT server FROM journal")
    guard case .text(let name)? = server.first?.first else { return [] }
    let file = try SQLiteJournal(at: journal, server: name)
    let records = try await file.storage.list(RecordQuery()).get().map(\.record)
    try await file.close().get()
    return records
  }

  /// Runs a subcommand of `demo order` with the journal, and with a server of the driver `ann`.
  func run(_ words: String..., with server: OrderServer? = nil) async throws -> DemoProcess.Outcome {
    try await start(words, with: server).outcome()
  }

  func start(_ words: [String], with server: OrderServer? = nil) throws -> DemoProcess {
    let address = server.map { ["--server", $0.url.absoluteString, "--token", "t"] } ?? []
    return try DemoProcess.start(["order"] + words + ["--journal", journal] + address)
  }
}

/// A server with order 7 for the driver `ann`, which it decides when `decide` is called.
struct UndecidedServer {
  let server: OrderServer
  let requests: AsyncStream<Void>
  private let due: Locked<[@Sendable () -> Void]>

  init() async throws {
    let offers = [OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(1))]
    let due = Locked<[@Sendable () -> Void]>([])
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    server = try await OrderServer.start(
      .init(orders: offers, tokens: ["t": "ann"]),
      timers: Timers(
        schedule: { _, callback in
          due.withLock { $0.append(callback) }
          return {}
        }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) }),
      observer: Observer { event in
        if case .request = event { request.yield() }
      })
    (self.requests, self.due) = (requests, due)
  }

  func key(of order: OrderID = "7") -> IdempotencyKey? { server.orders[order]?.taking?.key }

  func decide() {
    let callbacks = due.withLock { due in
      defer { due = [] }
      return due
    }
    for callback in callbacks { callback() }
  }
}

extension TakingRecord {
  /// An intent that an earlier process began some time ago.
  init(
    _ order: OrderID, key: UInt64 = 7, _ checkpoint: TakingCheckpoint = .begun, age: Duration = .zero,
    isDelivered: Bool = false
  ) {
    var lastPutAt = Moment.current
    lastPutAt.sinceEpoch -= age
    lastPutAt.sinceBoot -= age
    self.init(
      intent: TakingIntent(order: order, key: IdempotencyKey(high: 7, low: key)), begunAt: lastPutAt.sinceEpoch,
      lastPutAt: lastPutAt, checkpoint: checkpoint, isDelivered: isDelivered)
  }
}
