import BenchmarkHarness
import Foundation
import Futures
import OrderTaking
import OrderTakingPostgres
import TestSupport

/// The benchmarks of workers on a PostgreSQL server of this process, with durable commits.
///
/// An iteration is 512 takings, at most 64 at the same time in each worker. The baseline runs the same six statements for each taking with
/// libpq alone, a row in each statement, on as many connections as the workers have. Without PostgreSQL, there are no rows.
let orderDatabase: [Benchmark] = {
  guard PostgresCluster.isInstalled else {
    FileHandle.standardError.write(
      Data("The benchmarks of PostgreSQL are skipped: it is not installed. Run `Scripts/bootstrap test`.\n".utf8))
    return []
  }
  let takings = [1, 2, 4, 8].flatMap { count in
    let plain = "PostgreSQL: 512 takings, \(count * PostgresLoad.poolSize) connections, libpq"
    return [
      Benchmark(
        name: plain,
        subject: .duration { iterations in
          await PlainPostgres.take(iterations * 512, connections: count * PostgresLoad.poolSize)
        }),
      Benchmark(
        name: "PostgreSQL: 512 takings, \(count) worker\(count == 1 ? "" : "s")", baseline: plain,
        budget: .ratio(atMost: 2),
        subject: .duration { iterations in await PostgresLoad.take(iterations * 512, workers: count) }),
    ]
  }
  return takings + [
    Benchmark(
      name: "PostgreSQL: claim 1,000 due orders among 200,000",
      subject: .number(unit: "µs") { await PostgresLoad.measureClaim(of: 1_000, among: 200_000) }),
    Benchmark(
      name: "PostgreSQL: renew the leases of 10,000 orders",
      subject: .number(unit: "µs") { await PostgresLoad.measureRenewal(of: 10_000) }),
  ]
}()

/// Workers and statements on a PostgreSQL server.
enum PostgresLoad {
  /// The number of connections of a worker for statements.
  static let poolSize = 4

  /// The server of all benchmarks, which ends with this process.
  static let server = Task { () -> PostgresConfiguration in
    do {
      var configuration = PostgresConfiguration(try await PostgresCluster.shared().connection())
      configuration.poolSize = poolSize
      _ = try await PostgresJournal.migrate(configuration).get()
      return configuration
    } catch { preconditionFailure("\(error)") }
  }

  private static let workers = Task { () -> [PostgresJournal] in
    var workers: [PostgresJournal] = []
    do {
      for _ in 0..<8 { workers.append(try await PostgresJournal.open(server.value).get()) }
    } catch { preconditionFailure("\(error)") }
    return workers
  }

  private static let orders = Locked(0)

  /// Returns names of orders that no benchmark has used.
  static func newOrders(_ count: Int) -> Range<Int> {
    orders.withLock { last in
      defer { last += count }
      return last..<last + count
    }
  }

  /// Takes orders with a server that accepts each PUT, a part of them with each worker.
  static func take(_ count: Int, workers workerCount: Int) async {
    let workers = await workers.value.prefix(workerCount)
    await withTaskGroup { group in
      for worker in workers {
        group.addTask {
          let journal = worker.journal(of: worker.name, encode: { "\($0)" }, decode: { Int($0) })
          await JournalLoad.take(newOrders(count / workerCount), atOnce: 64, with: journal)
        }
      }
    }
  }

  /// Returns the microseconds of a claim of due orders among others, which other workers own: the median of nine.
  static func measureClaim(of count: Int, among total: Int) async -> Int {
    let driver = "claims"
    await fill(driver, total)
    // The due orders are spread over the whole table.
    let release = """
      UPDATE takings SET owner = NULL, lease_until = now(), due_at = now()
      WHERE driver = '\(driver)' AND order_id::integer % \(total / count) = 0
      """
    let lease = Parameter.integer(30_000_000)
    return await measure(before: release) { pool throws(PostgresError) in
      let claimed = try await pool.run(
        .claimDue, [.text("worker"), .text(driver), lease, .integer(Int64(count)), .texts([])]
      ).get()
      precondition(claimed.count == count)
    }
  }

  /// Returns the microseconds of a renewal of leases in one statement: the median of nine.
  static func measureRenewal(of count: Int) async -> Int {
    let driver = "renewals"
    await fill(driver, count)
    let orders = (0..<count).map(String.init)
    let parameters: [Parameter] = [
      .text("other"), .integer(30_000_000), .texts(orders.map { _ in driver }), .texts(orders),
      .integers(orders.map { _ in 0 }),
    ]
    return await measure(before: "SELECT") { pool throws(PostgresError) in
      let renewed = try await pool.run(.renew, parameters).get()
      precondition(renewed.count == count)
    }
  }

  /// Inserts orders that another worker owns for an hour.
  private static func fill(_ driver: String, _ count: Int) async {
    await run(
      """
      INSERT INTO takings (driver, order_id, key, body, change, begun_at, owner, fence, lease_until, due_at)
      SELECT '\(driver)', n, md5('\(driver)' || n), decode(repeat('07', 100), 'hex'), 'begun', n, 'other', 0,
        now() + interval '1 hour', now() + interval '1 hour'
      FROM generate_series(0, \(count - 1)) AS n ON CONFLICT DO NOTHING
      """)
    await run("VACUUM ANALYZE takings")
  }

  private static func measure(
    before statement: String, _ body: (PostgresPool) async throws(PostgresError) -> Void
  ) async -> Int {
    let pool = await pool()
    defer { pool.close() }
    var times: [Duration] = []
    do {
      for _ in 0..<9 {
        _ = try await pool.run(Statement(name: "", sql: statement)).get()
        let start = ContinuousClock.now
        try await body(pool)
        times.append(start.duration(to: .now))
      }
    } catch { preconditionFailure("\(error)") }
    return Int(times.sorted()[4] / .microseconds(1))
  }

  private static func run(_ sql: String) async {
    let pool = await pool()
    defer { pool.close() }
    do { _ = try await pool.run(Statement(name: "", sql: sql)).get() } catch { preconditionFailure("\(error)") }
  }

  private static func pool() async -> PostgresPool {
    var configuration = await server.value
    configuration.poolSize = 1
    configuration.statementTimeLimit = .seconds(120)
    return PostgresPool(configuration)
  }
}
