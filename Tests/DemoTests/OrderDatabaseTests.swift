import Foundation
import TestSupport
import Testing

@testable import Demo

@Suite("Order commands with a PostgreSQL database", .timeLimit(.minutes(5))) struct OrderDatabaseTests {
  private func run(_ words: String, _ database: String) async throws -> DemoProcess.Outcome {
    try await start(words, database).outcome()
  }

  private func start(_ words: String, _ database: String) throws -> DemoProcess {
    try DemoProcess.start(["order"] + words.split(separator: " ").map(String.init) + ["--database", database])
  }

  @Test("two server processes serve one driver, and a worker finishes the order of a process that has ended")
  func serversAndWorkers() async throws {
    let cluster = try await PostgresCluster.shared()
    let database = try await cluster.createDatabase()
    let early = try await run("take tour-1", database)
    #expect(early.status == 25 && early.errors.contains("Run: demo order migrate --database URL"), "\(early)")
    #expect(try await run("migrate", database).output.contains("schema 2 of the journal and schema 1 of the server"))
    #expect(try await run("migrate --json", database).output == #"{"journal":2,"server":1}"# + "\n")

    let servers = [try start("serve --quiet", database), try start("serve --quiet", database)]
    var addresses: [(http: String, push: String)] = []
    for server in servers {
      let words = try #require(await server.nextLine()).split(whereSeparator: { " ;".contains($0) }).map(String.init)
      let (http, push) = (try #require(words.firstIndex(of: "--server")), try #require(words.firstIndex(of: "--push")))
      addresses.append((words[http + 1], words[push + 1]))
    }
    let ends = "--server \(addresses[0].http) --push \(addresses[1].push)"
    let taken = try await run("take tour-2 --json --quiet \(ends)", database)
    #expect(taken.status == 0 && taken.output.contains(#""order":"tour-2","state":"accepted""#), "\(taken)")

    try await addUnfinishedOrder(to: database)
    let status = try await run("status --json", database)
    #expect(status.output.hasPrefix(#"{"lag":"#) && status.output.hasSuffix(#","orders":1}"# + "\n"), "\(status)")
    let other = "--server \(addresses[1].http) --push \(addresses[0].push)"
    let worker = try start("work --workers 2 --json --quiet \(other)", database)
    let line = try #require(await worker.nextLine())
    #expect(line.contains(#""order":"tour-1","state":"accepted""#), "\(line)")
    worker.interrupt()
    #expect(await worker.outcome().status == 130)
    for server in servers { server.interrupt() }
    for server in servers { #expect(await server.outcome().status == 130) }
    #expect(try await run("status", database).output == "The database has no unfinished orders.\n")
    let open = try await run("list --json", database)
    #expect(open.output.contains("tour-3") && !open.output.contains(#""tour-1""#), "\(open)")
  }

  /// Adds a record as a process leaves it that has ended before its PUT, or that still owns the order.
  private func addUnfinishedOrder(to database: String, owner: String? = nil) async throws {
    let (name, end) = owner.map { ("'\($0)'", "now() + interval '1 hour'") } ?? ("NULL", "now()")
    _ = try await PostgresCluster.shared().query(
      database,
      """
      INSERT INTO takings (driver, order_id, key, change, begun_at, fence, owner, lease_until, due_at)
      VALUES (
        'driver', 'tour-1', repeat('0', 31) || '1', 'begun', extract(epoch FROM now()) * 1000000000, 0, \(name), \(end),
        \(end))
      """)
  }

  @Test("a worker that cannot write an outcome ends, and another worker reports it") func fullOutput() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("migrate", database).status == 0)
    try await addUnfinishedOrder(to: database)
    let full = try await DemoProcess.bash("\"$demo\" order work --json --quiet --database '\(database)' >/dev/full")
    #expect(full.status == 16 && full.errors.contains(#" Outcome: {"details":"#), "\(full)")
    let worker = try start("work --json --quiet", database)
    #expect(try #require(await worker.nextLine()).contains(#""order":"tour-1","state":"accepted""#))
    worker.interrupt()
    #expect(await worker.outcome().status == 130)
  }

  @Test("the wait for an order of another worker counts for the time limit") func otherOwner() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("migrate", database).status == 0)
    try await addUnfinishedOrder(to: database, owner: "another")
    let outcome = try await run("take tour-1 --quiet --timeout 0.5", database)
    #expect(outcome.status == 25 && outcome.errors.contains("another worker has owned it"), "\(outcome)")
  }

  @Test("an order server gets one push connection of all workers") func onePushConnection() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("migrate", database).status == 0)
    let server = try start("serve", database)
    let words = try #require(await server.nextLine()).split(whereSeparator: { " ;".contains($0) }).map(String.init)
    let (http, push) = (try #require(words.firstIndex(of: "--server")), try #require(words.firstIndex(of: "--push")))
    try await addUnfinishedOrder(to: database)
    let ends = "--server \(words[http + 1]) --push \(words[push + 1])"
    let worker = try start("work --workers 4 --json \(ends)", database)
    var startCount = 0
    var isAccepted = false
    while startCount < 4 || !isAccepted, let line = await worker.nextLine() {
      if line.contains("started") { startCount += 1 }
      if line.contains(#""state":"accepted""#) { isAccepted = true }
    }
    // Without a hand-over.
    worker.kill()
    _ = await worker.outcome()
    server.interrupt()
    let log = await server.outcome().output
    #expect(log.components(separatedBy: " opened").count == 2, "\(log)")
  }

  @Test("Ctrl-C while another worker owns the order requests its cancellation, and reports within seconds what to do")
  func cancelOther() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("migrate", database).status == 0)
    try await addUnfinishedOrder(to: database, owner: "another")
    let process = try start("take tour-1 --timeout 120", database)
    // The push channel is opened after the order was claimed.
    while await process.nextLine()?.contains("subscribed") == false {}
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.output.contains("that worker cancels it, or reports its outcome"), "\(outcome)")
    #expect(
      outcome.errors.contains("another worker owns it, and has not answered the request to cancel it."), "\(outcome)")
    #expect(outcome.errors.contains("demo order take tour-1 --database URL"), "\(outcome)")
    let requested = try await PostgresCluster.shared().query(database, "SELECT cancel_requested FROM takings")
    #expect(requested.contains("t"), "\(requested)")
  }

  @Test("a command whose order another process cancels reports that it was cancelled") func cancelledByOther()
    async throws
  {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("migrate", database).status == 0)
    // A server that never answers.
    let process = try start("take tour-1 --timeout 120 --faults lost=1,push-lost=1", database)
    while await process.nextLine()?.contains("PUT 1 sent") == false {}
    _ = try await PostgresCluster.shared().query(
      database,
      "UPDATE takings SET cancel_requested = true; SELECT pg_notify('order_taking', 'cancel ' || owner) FROM takings")
    let outcome = await process.outcome()
    #expect(outcome.status == 22 && outcome.errors.contains("it was cancelled"), "\(outcome)")
  }

  @Test("a role that can only read lists the open orders") func listsAsReader() async throws {
    let cluster = try await PostgresCluster.shared()
    let database = try await cluster.createDatabase()
    #expect(try await run("migrate", database).status == 0)
    let reader = "reader_\(UUID().uuidString.prefix(8).lowercased())"
    _ = try await cluster.query(
      database,
      """
      INSERT INTO server_orders (id, details, decided_after) VALUES ('tour-9', '{}', 0); CREATE ROLE \(reader) LOGIN;
      GRANT SELECT ON server_orders, order_server_migrations TO \(reader)
      """)
    let list = try await run("list", database.replacingOccurrences(of: "user=postgres", with: "user=\(reader)"))
    #expect(list.status == 0 && list.output == "tour-9\n", "\(list)")
  }

  @Test(
    "options that exclude each other are refused",
    arguments: [
      ("take --journal a", "'--database' and '--journal' cannot be used together."),
      ("serve --state a", "'--database' and '--state' cannot be used together."),
      ("list --server http://127.0.0.1:1", "'--database' and '--server' cannot be used together."),
      ("list --faults all", "'--database' and '--faults' cannot be used together."),
      ("status tour-1", "It cannot be used with an order or '--server'."),
      ("work --workers 0", "'--workers' must be a number from 1 to 64, not 0."),
    ])
  func exclusiveOptions(words: String, message: String) async throws {
    let outcome = try await run(words, "postgres://localhost/none")
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome)")
  }

  @Test(
    "a malformed connection string is an invalid command line, and is not printed",
    arguments: ["take tour-1", "list", "status", "migrate", "work", "serve"])
  func malformedAddress(command: String) async throws {
    let outcome = try await run(command, "postgres://driver:s3cret@[127.0.0.1/orders")
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.errors.contains("Cannot use the value of '--database': the connection string is malformed. Correct it."),
      "\(outcome)")
    #expect(!outcome.errors.contains("s3cret"), "\(outcome)")
  }
}
