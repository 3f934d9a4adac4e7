import Foundation
import OrderTaking
import OrderTakingServer
import PostgresTesting
import TestSupport

/// The parts of both worlds: the server, the file with delivered outcomes, the processes and the kills.
final class World: Sendable {
  let folder: TemporaryFolder
  let killCount: Int
  private let name: String
  private let ports: (http: Int, push: Int)
  private let state: Locked<State>

  private struct State {
    var random: SplitMix64
    var killsLeft: Int
    var counts: [String: Int] = [:]
    var begun = 0
    var running: [pid_t: Running] = [:]
  }

  private struct Running {
    let description: String
    let process: ChildProcess
    let start = ContinuousClock.now
  }

  init(_ name: String, seed: UInt64, kills: Int) throws {
    (self.name, killCount) = (name, kills)
    folder = try TemporaryFolder()
    ports = (try PostgresCluster.freePort(), try PostgresCluster.freePort())
    state = Locked(State(random: SplitMix64(seed: seed), killsLeft: kills))
  }

  var isKilling: Bool { state.withLock { $0.killsLeft > 0 } }

  func random(_ range: ClosedRange<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

  /// The next orders that no process has begun.
  func nextOrders(_ count: Int) -> Range<Int> {
    state.withLock { state in
      defer { state.begun += count }
      return state.begun..<state.begun + count
    }
  }

  var begunCount: Int { state.withLock { $0.begun } }

  // MARK: Kills

  /// Counts a kill, unless all have happened.
  func mayKill(_ what: String) -> Bool {
    let may = state.withLock { state in
      guard state.killsLeft > 0 else { return false }
      state.killsLeft -= 1
      return true
    }
    if may { count(what) }
    return may
  }

  func count(_ what: String) { state.withLock { $0.counts[what, default: 0] += 1 } }

  func reportCounts() {
    let counts = state.withLock { $0.counts }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    say("\(name): \(begunCount) orders, \(counts.joined(separator: ", "))")
  }

  /// Runs a process of a role, kills or freezes it at random times, and returns its exit code.
  ///
  /// - Parameters:
  ///   - number: The number of the process among those of its role; a process and its successors have the same clock.
  ///   - lifetime: The range of the time to the next kill, in milliseconds.
  @discardableResult
  func run(
    _ kind: Role.Kind, number: Int = 1, storage: String, orders: Range<Int> = 0..<0, lifetime: ClosedRange<Int>
  ) async -> Int32 {
    let clock = folder.file("clock-\(kind.rawValue)-\(number)")
    if !isKilling { set(clock, to: 0) }
    let role = Role(
      kind, clock: clock, http: ports.http, push: ports.push, delivered: folder.file("delivered"), storage: storage,
      orders: orders)
    guard let process = try? ChildProcess(CommandLine.arguments[0], role.words) else {
      say("\(kind.rawValue) \(number) cannot be started")
      return 1
    }
    let description = "\(kind.rawValue) \(number) \(orders.isEmpty ? "" : "with the orders \(orders)")"
    state.withLock { $0.running[process.processIdentifier] = Running(description: description, process: process) }
    defer { state.withLock { $0.running[process.processIdentifier] = nil } }
    let killer = Task { await kill(process, kind, clock, lifetime) }
    let outcome = await withTaskCancellationHandler {
      await process.outcome()
    } onCancel: {
      process.send(SIGKILL)
    }
    killer.cancel()
    await killer.value
    if outcome.status > 0 { say("\(description) ended with \(outcome.status): \(outcome.errors.suffix(500))") }
    return outcome.status
  }

  private func kill(_ process: ChildProcess, _ kind: Role.Kind, _ clock: String, _ lifetime: ClosedRange<Int>) async {
    while isKilling, !Task.isCancelled {
      guard (try? await Task.sleep(for: .milliseconds(random(lifetime)))) != nil else { return }
      switch random(0...5) {
      case 0:
        guard mayKill("freezes of a \(kind.rawValue)") else { break }
        process.send(SIGSTOP)
        try? await Task.sleep(for: .milliseconds(random(200...2_500)))
        process.send(SIGCONT)
      case 1, 2:
        set(clock, to: 3_600 * random(-2...2))
        count("jumps of the clock of a \(kind.rawValue)")
      default: if mayKill("kills of a \(kind.rawValue)") { return process.send(SIGKILL) }
      }
    }
    set(clock, to: 0)
  }

  /// Sets a wall clock ahead by a number of seconds.
  private func set(_ clock: String, to seconds: Int) {
    do { try Data("\(seconds)".utf8).write(to: URL(filePath: clock), options: .atomic) } catch { say("\(error)") }
  }

  /// Runs processes of a role, one after the other, until one has completed its orders.
  func complete(
    _ kind: Role.Kind, number: Int, storage: String, orders: Range<Int>, lifetime: ClosedRange<Int>
  ) async throws {
    while await run(kind, number: number, storage: storage, orders: orders, lifetime: lifetime) != 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Runs the server until the task is cancelled.
  func runServer() async {
    while !Task.isCancelled { await run(.server, storage: folder.file("server.sqlite"), lifetime: 1_500...5_000) }
  }

  // MARK: Checks

  /// Runs a part of the program.
  ///
  /// After a time limit, prints the processes and orders that are stuck, and ends the program.
  func within(
    _ limit: Duration, records: @escaping @Sendable () async throws -> [TakingRecord], _ body: () async throws -> Void
  ) async throws {
    let watch = Task {
      try await Task.sleep(for: limit)
      let running = state.withLock { $0.running.values.map { ($0.description, $0.process, $0.start) } }
      say("\(name): stuck, after \(limit)")
      for (description, process, start) in running {
        say("  \(description), process \(process.processIdentifier), for \(ContinuousClock.now - start)")
        process.send(SIGKILL)
      }
      reportCounts()
      try await Task.sleep(for: .seconds(1))
      for record in try await records() where record.needsResuming { say("  order \(record.intent.order): \(record)") }
      exit(1)
    }
    defer { watch.cancel() }
    try await body()
  }

  func problems(_ records: [TakingRecord]) async throws -> [String] {
    var problems: [String] = []
    let server = try await OrderServer.start(.init(storage: .file(folder.file("server.sqlite"))))
    let taken = server.orders
    await server.close()
    let lines = (try? String(contentsOfFile: folder.file("delivered"), encoding: .utf8)) ?? ""
    var delivered: [String: Set<String>] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      delivered[words[0], default: []].insert(words[1])
    }
    let known = Dictionary(records.map { ($0.intent.order, $0) }) { first, _ in first }
    for number in 0..<begunCount {
      let order = OrderID(number)
      guard let record = known[order] else {
        problems.append("order \(number) has no record")
        continue
      }
      if record.needsResuming { problems.append("order \(number) is stuck: \(record)") }
      let taking = taken[order]?.taking
      let isOurs = taking?.key == record.intent.key
      switch (record.state, taking?.answer) {
      case (.failed, nil): break
      case (.accepted, .accepted?) where isOurs: break
      case (.failed, .declined?) where isOurs: break
      default: problems.append("order \(number): the journal has \(record), the server \(String(describing: taking))")
      }
      let outcomes = delivered[order.text] ?? []
      let isRight = outcomes.subtracting(["unknown"]) == [record.state == .accepted ? "accepted" : "failed"]
      if !isRight {
        problems.append("order \(number) is \(record.checkpoint), and was delivered as \(outcomes.sorted())")
      }
    }
    let expired = records.count { $0.state == .failed && taken[$0.intent.order]?.taking == nil }
    say("\(name): \(records.count { $0.state == .accepted }) accepted, \(expired) not taken")
    return problems
  }
}
