import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
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

  /// Runs a subcommand of `demo order` with the journal, and with a server of the driver `ann`.
  func run(_ words: String..., with server: OrderServer? = nil) async throws -> DemoProcess.Outcome {
    try await start(words, with: server).outcome()
  }

  /// Starts a subcommand of `demo order`.
  func start(_ words: [String], with server: OrderServer? = nil) throws -> DemoProcess {
    let address = server.map { ["--server", $0.url.absoluteString, "--token", "t"] } ?? []
    return try DemoProcess.start(["order"] + words + ["--journal", journal] + address)
  }
}

/// An order server for the driver `ann` whose timers run only when `decide` is called, and the PUTs that it has received.
struct UndecidedServer {
  let server: OrderServer
  let puts: AsyncStream<Void>
  private let due: Locked<[@Sendable () -> Void]>

  /// - Parameter offers: The orders. By default, order 7, which is decided by a timer.
  init(_ offers: [OfferedOrder] = [OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(1))])
    async throws
  {
    let due = Locked<[@Sendable () -> Void]>([])
    let (puts, put) = AsyncStream.makeStream(of: Void.self)
    server = try await OrderServer.start(
      .init(offers: offers, credentials: ["t": "ann"]),
      timers: Timers(
        schedule: { _, callback in
          due.withLock { $0.append(callback) }
          return {}
        }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    ) { event in
      if case .request("PUT", _, _, _, _) = event { put.yield() }
    }
    (self.puts, self.due) = (puts, due)
  }

  /// The key with which an order was requested.
  func key(of order: String = "7") -> IdempotencyKey? { server.orders[order]?.taking?.key }

  func decide() {
    let callbacks = due.withLock { due in
      defer { due = [] }
      return due
    }
    for callback in callbacks { callback() }
  }
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
