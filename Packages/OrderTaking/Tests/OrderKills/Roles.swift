import Foundation
import Futures
import FuturesNetworkingCurl
import OrderTaking
import OrderTakingClients
import OrderTakingJournal
import OrderTakingPostgres
import OrderTakingServer

/// The task of a process of this program.
struct Role: Sendable {
  enum Kind: String {
    /// Runs the server, with every fault.
    case server
    /// Resumes what an earlier process left, and takes a range of orders until each has a known outcome.
    case client
    /// Begins a range of orders in a database. Workers finish the others after it was killed.
    case beginner
    /// Finishes the orders of a database.
    case worker
  }

  /// The words after the name of the program.
  let words: [String]
  private let kind: Kind
  private let clock: String
  private let (http, push): (Int, Int)
  private let delivered: String
  private let storage: String
  private let orders: Range<Int>

  init(
    _ kind: Kind, clock: String, http: Int, push: Int, delivered: String, storage: String, orders: Range<Int>
  ) {
    words = [
      kind.rawValue, clock, "\(http)", "\(push)", delivered, storage, "\(orders.lowerBound)", "\(orders.upperBound)",
    ]
    (self.kind, self.clock, self.http, self.push) = (kind, clock, http, push)
    (self.delivered, self.storage, self.orders) = (delivered, storage, orders)
  }

  init?(_ words: some Collection<String>) {
    let words = Array(words)
    guard words.count == 8, let kind = Kind(rawValue: words[0]), let http = Int(words[2]), let push = Int(words[3]),
      let first = Int(words[6]), let end = Int(words[7]), first <= end
    else { return nil }
    self.init(
      kind, clock: words[1], http: http, push: push, delivered: words[4], storage: words[5], orders: first..<end)
  }

  static let driver: DriverID = "ann"
  static let token = "ann's"
  /// More orders than one run can take.
  private static let offers = (0..<10_000).map { (number: Int) -> OfferedOrder in
    OfferedOrder(
      OrderID(number), verdict: number % 5 == 0 ? .decline(reason: "late") : .accept,
      decidedAfter: .milliseconds(number % 3 == 0 ? 300 : 0))
  }

  func run() async throws {
    let parent = getppid()
    Thread.detachNewThread {
      while getppid() == parent { sleep(1) }
      exit(1)
    }
    let timers = Timers.clock(in: clock)
    switch kind {
    case .server: try await serve(timers)
    case .client:
      let isFile = storage.hasSuffix(".sqlite")
      try await take(isFile ? Storages.sqlite(storage, timers) : Storages.postgres(storage, timers), timers)
    case .beginner: try await begin(Storages.postgres(storage, timers), timers)
    case .worker: try await work(Storages.postgres(storage, timers), timers)
    }
  }

  private func serve(_ timers: Timers) async throws {
    var configuration = OrderServer.Configuration(
      orders: Self.offers, tokens: [Self.token: Self.driver],
      faults: .all(probability: 0.1, seed: .random(in: .min ... .max)), storage: .file(storage))
    (configuration.port, configuration.pushPort) = (http, push)
    configuration.heartbeat = .milliseconds(500)
    let server = try await OrderServer.start(configuration, timers: timers)
    try await Task.sleep(for: .seconds(86_400))
    await server.close()
  }

  private func take(_ storage: JournalStorage, _ timers: Timers) async throws {
    let driver = Driver(self, storage, timers)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for resumed in try await driver.taker.resume().get() {
        group.addTask { await driver.deliver(await resumed.future.get(), of: resumed.order) }
      }
      try await group.waitForAll()
      for order in orders.map({ OrderID($0) }) {
        group.addTask {
          while true {
            let record = try await driver.record(of: order)
            if let record, record.hasKnownOutcome, record.isDelivered { return }
            let isKnown = record?.hasKnownOutcome ?? false
            let future = isKnown ? driver.taker.reconcile(order) : driver.taker.take(order)
            await driver.deliver(await future.get(), of: order)
          }
        }
      }
      try await group.waitForAll()
    }
    try await storage.close().get()
  }

  private func begin(_ storage: JournalStorage, _ timers: Timers) async throws {
    let driver = Driver(self, storage, timers)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for order in orders.map({ OrderID($0) }) {
        group.addTask {
          while try await driver.record(of: order) == nil {
            await driver.deliver(await driver.taker.take(order).get(), of: order)
          }
        }
      }
      try await group.waitForAll()
    }
    try await storage.close().get()
  }

  private func work(_ storage: JournalStorage, _ timers: Timers) async throws {
    var policy = WorkerPolicy()
    (policy.taking, policy.pollInterval, policy.drainTime) = (.harness, .milliseconds(500), .milliseconds(500))
    policy.retries = .exponential(from: .milliseconds(50), atMost: .milliseconds(500))
    let outcomes = Outcomes(delivered)
    let worker = OrderWorker<String>(storage: storage, policy: policy, timers: timers) { _, _ in
      clients
    } deliver: {
      outcomes.note($0.result, of: $0.order)
    }
    try await worker.run()
  }

  fileprivate var clients: OrderWorker<String>.Clients {
    let tokens = TokenSource(Self.token) { Future(error: .status(401)) }
    let url = URL(string: "http://127.0.0.1:\(http)") ?? URL(filePath: "/")
    return (
      .live(at: url, over: .curl(), token: tokens) { String(decoding: $0, as: UTF8.self) },
      .live(
        host: "127.0.0.1", port: push, security: .plaintext, over: .curl(), token: tokens, observer: Observer { _ in })
    )
  }

  fileprivate var outcomes: Outcomes { Outcomes(delivered) }
}

/// A driver's app: a taker that notes each outcome and then acknowledges it.
private final class Driver: Sendable {
  let taker: OrderTaker<String>
  private let storage: JournalStorage
  private let outcomes: Outcomes

  init(_ role: Role, _ storage: JournalStorage, _ timers: Timers) {
    (self.storage, outcomes) = (storage, role.outcomes)
    taker = OrderTaker(
      httpClient: role.clients.http, pushClient: role.clients.push, journal: storage.journal(Role.driver),
      policy: .harness, timers: timers, deliveringOn: immediateExecutionContext, acknowledging: .explicit,
      worker: storage.name)
  }

  /// Reads a record without claiming the order.
  func record(of order: OrderID) async throws -> TakingRecord? {
    while true {
      do { return try await storage.list(RecordQuery(driver: Role.driver, order: order)).get().first?.record } catch {
        guard error.kind == .storage else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  func deliver(_ result: Result<AcceptedOrder<String>, OrderTakingFailure>, of order: OrderID) async {
    // An outcome that the journal does not have is not final.
    if let error = result.error,
      error.kind == .journal || error.journalError != nil || error.outcome == .unknown(.fenced)
    {
      return
    }
    outcomes.note(result, of: order)
    try? await taker.acknowledge(result, of: order).get()
  }
}

/// The file with the outcomes that were delivered.
private final class Outcomes: Sendable {
  private let file: Int32

  init(_ path: String) { file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }

  /// Notes an outcome with one system call, so that a kill leaves no part of a line.
  func note(_ result: Result<AcceptedOrder<String>, OrderTakingFailure>, of order: OrderID) {
    let outcome =
      switch result {
      case .success: "accepted"
      case .failure(let failure): failure.kind == .unknown ? "unknown" : "failed"
      }
    let line = Array("\(order) \(outcome)\n".utf8)
    precondition(write(file, line, line.count) == line.count, "Cannot note an outcome.")
  }
}

enum Storages {
  static func sqlite(_ path: String, _ timers: Timers = .dispatch()) throws -> JournalStorage {
    try SQLiteJournal(at: path, server: "kills") { timers.now().sinceEpoch }.storage
  }

  /// Opens the database as soon as it accepts connections, with short leases.
  static func postgres(_ connection: String, _ timers: Timers = .dispatch()) async throws -> JournalStorage {
    var configuration = PostgresConfiguration(connection)
    configuration.lease = .seconds(1)
    configuration.claimInterval = .milliseconds(200)
    while true {
      do { return try await PostgresJournal.open(configuration, timers: timers).get().storage } catch {
        guard error.kind == .storage else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}

extension JournalStorage {
  func allRecords() async throws -> [TakingRecord] {
    var (records, query) = ([TakingRecord](), RecordQuery())
    while true {
      let page = try await list(query).get()
      records += page.map(\.record)
      guard page.count == query.limit else { break }
      query.after = page.last?.id
    }
    try await close().get()
    return records
  }
}

extension Timers {
  /// The system's timers, with a wall clock that is ahead by the number of seconds in a file.
  fileprivate static func clock(in file: String) -> Timers {
    Timers(schedule: Timers.dispatch().schedule) {
      var now = Moment.current
      let seconds = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int64($0) }
      now.sinceEpoch += .seconds(seconds ?? 0)
      return now
    }
  }
}

extension TakingPolicy {
  /// Short times, so that a run needs minutes.
  fileprivate static let harness: TakingPolicy = {
    var policy = TakingPolicy()
    (policy.delayBeforeFirstGet, policy.polls) = (.milliseconds(300), .constant(.milliseconds(50)))
    policy.retries = .exponential(from: .milliseconds(20), atMost: .milliseconds(300))
    (policy.attempts, policy.requestTimeout, policy.deadline) = (nil, .seconds(1), .seconds(60))
    return policy
  }()
}
