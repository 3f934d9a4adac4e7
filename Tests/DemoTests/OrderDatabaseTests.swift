import Foundation
import Futures
import Loopback
import OrderTaking
import OrderTakingPostgres
import PostgresTesting
import TestSupport
import Testing

@Suite("Order commands with a PostgreSQL database", .timeLimit(.minutes(5)))
struct OrderDatabaseTests {
  private func run(_ words: String, _ database: String) async throws -> DemoProcess.Outcome {
    try await start(words, database).outcome()
  }

  private func start(_ words: String, _ database: String) throws -> DemoProcess {
    try DemoProcess.start(["order"] + words.split(separator: " ").map(String.init) + ["--database", database])
  }

  /// Returns a database with an order that was recorded but not requested, and the journal that owns it.
  private func databaseWithUnfinishedOrder() async throws -> (String, PostgresJournal) {
    let database = try await PostgresCluster.shared().createDatabase()
    let owner = try await PostgresJournal.open(PostgresConfiguration(database)).get()
    let journal = owner.journal(of: "driver")
    _ = try await journal.record("tour-1").get()
    try await journal.write(TakingRecord("tour-1")).get()
    return (database, owner)
  }

  private func startServer() async throws -> (DemoProcess, address: String) {
    let server = try DemoProcess.start(["order", "serve", "--quiet"])
    let line = try #require(await server.nextLine())
    return (server, String(try #require(line.firstMatch(of: /--server \S+ --push [^;]+/)).0))
  }

  @Test("a worker finishes the order of a process that has ended, and status counts it") func worker() async throws {
    let (database, owner) = try await databaseWithUnfinishedOrder()
    let owned = try await run("status", database)
    #expect(owned.output == "unfinished: 1\nworker \(owner.name): 1\n", "\(owned)")
    try await owner.close().get()
    let (server, address) = try await startServer()
    let taken = try await run("take tour-2 --json --quiet \(address)", database)
    #expect(taken.status == 0 && taken.output.contains(#""order":"tour-2","state":"accepted""#), "\(taken)")
    let worker = try start("work --json --quiet \(address)", database)
    let line = try #require(await worker.nextLine())
    #expect(line.contains(#""order":"tour-1","state":"accepted""#), "\(line)")
    worker.interrupt()
    #expect(await worker.outcome().status == 130)
    server.interrupt()
    #expect(await server.outcome().status == 130)
    #expect(try await run("status", database).output == "accepted: 2\n")
  }
}
