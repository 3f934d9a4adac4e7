import Foundation
import PostgresTesting
import TestSupport
import Testing

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
    #expect(status.output.hasPrefix(#"{"orders":1,"seconds":"#), "\(status)")
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
    #expect(try await run("status", database).status == 0)
    try await addUnfinishedOrder(to: database)
    let full = try await DemoProcess.bash("\"$demo\" order work --json --quiet --database '\(database)' >/dev/full")
    #expect(full.status == 1 && full.errors.contains(" Order tour-1 is yours: "), "\(full)")
    let worker = try start("work --json --quiet", database)
    #expect(try #require(await worker.nextLine()).contains(#""order":"tour-1","state":"accepted""#))
    worker.interrupt()
    #expect(await worker.outcome().status == 130)
  }

  @Test("the wait for an order of another worker counts for the time limit") func otherOwner() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("status", database).status == 0)
    try await addUnfinishedOrder(to: database, owner: "another")
    let outcome = try await run("take tour-1 --quiet --timeout 0.5", database)
    #expect(outcome.status == 1 && outcome.errors.contains("another worker has owned it"), "\(outcome)")
  }

  @Test("an order server gets one push connection of all workers") func onePushConnection() async throws {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("status", database).status == 0)
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
    #expect(try await run("status", database).status == 0)
    try await addUnfinishedOrder(to: database, owner: "another")
    let process = try start("take tour-1 --timeout 120", database)
    // The push channel is opened after the order was claimed.
    while await process.nextLine()?.contains("subscribed") == false {}
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.contains("The outcome of order tour-1 is unknown"), "\(outcome)")
    #expect(outcome.errors.contains("Its idempotency key stays the same."), "\(outcome)")
    let requested = try await PostgresCluster.shared().query(database, "SELECT cancel_requested FROM takings")
    #expect(requested.contains("t"), "\(requested)")
  }

  @Test("a command whose order another process cancels reports that it was cancelled") func cancelledByOther()
    async throws
  {
    let database = try await PostgresCluster.shared().createDatabase()
    #expect(try await run("status", database).status == 0)
    // A server that never answers.
    let process = try start("take tour-1 --timeout 120 --faults lost=1,push-lost=1", database)
    while await process.nextLine()?.contains("PUT sent") == false {}
    _ = try await PostgresCluster.shared().query(
      database,
      "UPDATE takings SET cancel_requested = true; SELECT pg_notify('order_taking', 'cancel ' || owner) FROM takings")
    let outcome = await process.outcome()
    #expect(outcome.status == 3 && outcome.errors.contains("cancelled before the server answered"), "\(outcome)")
  }
}
