import Foundation
import OrderTaking
import PostgresTesting
import TestSupport

/// Kills and freezes the processes that take orders, sets their clocks, and checks that no order is lost.
///
/// usage: order-kills COUNT [SEED]
///
/// Half of the kills and freezes are in a world with SQLite journals: one server with every fault, and three clients with a journal
/// each. The others are in a world with PostgreSQL: the same server, two processes that begin orders, three workers, and the
/// database's server.
///
/// A process is killed (`SIGKILL`), or frozen for up to 2.5 seconds, which is longer than a lease. Its wall clock is set ahead or back by
/// one or two hours. With the library of the package `faketime`, the clock of the database's machine is set too.
///
/// Afterwards the processes run with the right time until every operation has ended, and an order with an unknown outcome is taken
/// again. Finally, each order is checked:
///
/// - The journal has a known outcome, which was delivered.
/// - The server has given the order to the driver if and only if the outcome is *accepted*, and under the key of the journal.
/// - Every delivered outcome is the same.
///
/// After a time limit, the program prints the processes and orders that are stuck, and ends.
@main
enum OrderKills {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count > 6, let role = Role(arguments.dropFirst()) { return try await role.run() }
    guard arguments.count > 1, let count = Int(arguments[1]), count > 0,
      let seed = arguments.count > 2 ? UInt64(arguments[2]) : .random(in: 1...1_000_000)
    else {
      say("usage: order-kills COUNT [SEED]")
      exit(64)
    }
    say("\(count) kills and freezes with seed \(seed)")
    if fakeTime == nil { say("The clock of the database is not set: install the package faketime.") }
    var problems = try await killWithSQLite(World("SQLite", seed: seed, kills: (count + 1) / 2))
    if count > 1 { problems += try await killWithPostgreSQL(World("PostgreSQL", seed: seed &+ 1, kills: count / 2)) }
    for problem in problems { say("problem: \(problem)") }
    say("\(problems.count) problems")
    exit(problems.isEmpty ? 0 : 1)
  }
}

private func killWithSQLite(_ world: World) async throws -> [String] {
  let journals = (1...3).map { world.folder.file("journal-\($0).sqlite") }
  let allRecords = { @Sendable () async throws -> [TakingRecord] in
    var records: [TakingRecord] = []
    for journal in journals { records += try await Storages.sqlite(journal).allRecords() }
    return records
  }
  let server = Task { await world.runServer() }
  try await world.within(.seconds(120 + 3 * world.killCount), records: allRecords) {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, journal) in journals.enumerated() {
        group.addTask {
          while world.isKilling {
            try await world.complete(
              .client, number: number + 1, storage: journal, orders: world.nextOrders(12), lifetime: 100...1_500)
          }
        }
      }
      try await group.waitForAll()
    }
  }
  server.cancel()
  await server.value
  world.reportCounts()
  return try await world.problems(allRecords())
}

private func killWithPostgreSQL(_ world: World) async throws -> [String] {
  let cluster = try await PostgresCluster()
  let database = try await cluster.createDatabase()
  let server = Task { await world.runServer() }
  let workers = Task {
    await withTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          while !Task.isCancelled {
            await world.run(.worker, number: number, storage: database, lifetime: 300...3_000)
          }
        }
      }
    }
  }
  let allRecords = { @Sendable () async throws in try await Storages.postgres(database).allRecords() }
  try await world.within(.seconds(120 + 3 * world.killCount), records: allRecords) {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...2 {
        group.addTask {
          while world.isKilling {
            try await world.complete(
              .beginner, number: number, storage: database, orders: world.nextOrders(12), lifetime: 100...1_500)
          }
        }
      }
      group.addTask { try await kill(cluster, in: world) }
      try await group.waitForAll()
    }
  }
  // Workers finish the other orders. The server may know nothing of an order with an unknown outcome, and then a driver takes it again.
  try await world.within(.seconds(240), records: allRecords) {
    while try await !allRecords().allSatisfy({ $0.isDelivered && $0.state != .unfinished }) {
      try await Task.sleep(for: .milliseconds(200))
    }
    let unknown = try await allRecords().count { $0.state == .unknown }
    say("PostgreSQL: \(unknown) orders with an unknown outcome are taken again")
    try await world.complete(.client, number: 1, storage: database, orders: 0..<world.begunCount, lifetime: 0...0)
  }
  workers.cancel()
  server.cancel()
  await workers.value
  await server.value
  world.reportCounts()
  return try await world.problems(allRecords())
}

/// Kills a database and sets its clock; at the end it runs with the right time.
private func kill(_ cluster: PostgresCluster, in world: World) async throws {
  let clock = world.folder.file("faketime")
  var environment: [String: String] = [:]
  if let fakeTime {
    environment = [
      "LD_PRELOAD": fakeTime, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_CACHE_DURATION": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
  }
  while world.isKilling {
    try await Task.sleep(for: .milliseconds(world.random(1_000...6_000)))
    let seconds = 3_600 * world.random(-2...2)
    try Data("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8).write(to: URL(filePath: clock), options: .atomic)
    if fakeTime != nil { world.count("jumps of the database's clock") }
    guard world.random(0...1) == 0, world.mayKill("kills of the database") else { continue }
    try cluster.crash()
    try await cluster.start(environment: environment)
  }
  try cluster.crash()
  try await cluster.start()
  removeTraces()
}

/// The library of the package `faketime`, by which a process has another wall clock.
///
/// Only the database uses it: with it, the arguments of a Swift program on Linux are empty, and Dispatch's timers do not fire.
private let fakeTime: String? = {
  let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
  let files = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
  return files.first { FileManager.default.fileExists(atPath: $0) }
}()

/// Removes the shared memory that the library leaves.
private func removeTraces() {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [] where name.contains("faketime_")
  {
    guard let process = name.split(separator: "_").last.flatMap({ pid_t($0) }), kill(process, 0) != 0 else { continue }
    try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)")
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
