import Foundation
import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("Faults between a worker and the database", .timeLimit(.minutes(2))) struct NetworkTests {
  private struct Wires {
    let scene: Scene
    let proxy: NetworkProxy
    let role = "proxied_\(UUID().uuidString.prefix(8).lowercased())"
    let far: PostgresJournal
    let near: PostgresJournal

    init() async throws {
      let cluster = try await Cluster.shared()
      scene = try await Scene(cluster)
      proxy = try NetworkProxy(to: cluster.server.port)
      try await scene.session.run("CREATE ROLE \(role) SUPERUSER LOGIN PASSWORD 'secret'")
      var configuration = scene.configuration
      configuration.connection = "host=127.0.0.1 port=\(proxy.port) dbname=postgres user=\(role) password=secret"
      // Longer than the longest pause between two attempts to connect.
      configuration.statementTimeLimit = .seconds(5)
      configuration.connectTimeLimit = .seconds(2)
      far = try await PostgresJournal.open(configuration, retention: .forever, timers: .stopped).get()
      near = try await scene.worker()
    }

    func sessions() async throws -> Set<Int64?> {
      let rows = try await scene.session.run(
        "SELECT pid::bigint FROM pg_stat_activity WHERE usename = $1", [.text(role)])
      return Set(rows.map { $0.integer(0) })
    }

    func end() async {
      for worker in [far, near] { worker.close() }
      await proxy.set(.ended)
    }
  }

  @Test("a write that stays in transit is unknown, and changes nothing when it arrives after another worker's claim")
  func lateArrival() async throws {
    let wires = try await Wires()
    let (far, near) = (wires.far.journal(of: wires.scene.driver), wires.near.journal(of: wires.scene.driver))
    _ = try await far.record("1").get()
    try await far.write(record("1")).get()
    let sessions = try await wires.sessions()
    await wires.proxy.set(.silent)
    let lost = far.write(record("1", .acknowledged))
    #expect(await error(of: lost)?.kind == .unknownOutcome)
    try await wires.scene.endLeases()
    #expect(try await near.record("1").get() == record("1"))
    try await near.write(record("1", .accepted)).get()
    // Now the server receives the write, and the end of its connection.
    await wires.proxy.set(.open)
    while try await sessions.isSubset(of: wires.sessions()) {}
    #expect(await error(of: far.write(record("1", .acknowledged)))?.kind == .fenced)
    #expect(try await near.record("1").get() == record("1", .accepted))
    await wires.end()
  }

  @Test("a worker whose network was cut is usable again, and owns its order if no other worker has claimed it")
  func cut() async throws {
    let wires = try await Wires()
    let far = wires.far.journal(of: wires.scene.driver)
    _ = try await far.record("1").get()
    try await far.write(record("1")).get()
    await wires.proxy.set(.refusing)
    let kind = await error(of: far.write(record("1", .acknowledged)))?.kind
    #expect(kind == .storage || kind == .unknownOutcome)
    #expect(await error(of: far.record("2"))?.kind == .storage)
    await wires.proxy.set(.open)
    #expect(try await far.record("1").get() == record("1"))
    try await far.write(record("1", .accepted)).get()
    #expect(try await wires.near.journal(of: wires.scene.driver).openRecords().get().isEmpty)
    await wires.end()
  }
}
