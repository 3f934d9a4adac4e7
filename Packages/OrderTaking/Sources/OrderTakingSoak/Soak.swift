internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
internal import OrderTakingServer

/// The process that is not killed: it runs the server, kills the drivers' process, and compares the results at the end.
struct Soak {
  let options: SoakOptions
  private let plan: Plan

  init(_ options: SoakOptions) {
    self.options = options
    plan = Plan(orders: options.orders, clients: options.clients)
  }

  /// Runs the test, prints its result, and returns each difference between the server and the journals as a sentence.
  func run() async throws -> [String] {
    let folder = options.folder ?? NSTemporaryDirectory() + "order-soak-\(UUID().uuidString)"
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw SoakOptions.Failure(
        description: "Cannot create the folder \(folder): \(error.localizedDescription) Use --folder with another path."
      )
    }
    defer { if options.folder == nil { try? FileManager.default.removeItem(atPath: folder) } }
    let clock = ContinuousClock()
    let start = clock.now
    let tally = Locked(Tally())
    var configuration = OrderServer.Configuration(
      offers: (0..<plan.orders).map(offer), faults: try ServerFaults(options.faults), seed: options.seed)
    configuration.credentials = Credentials(
      Dictionary(uniqueKeysWithValues: (0..<plan.clients).map { (Plan.token($0), Plan.driver($0)) }))
    configuration.heartbeat = .milliseconds(200)
    let server = try await OrderServer.start(
      configuration, store: .sqlite(at: folder + "/server.sqlite"), log: { event in tally.withLock { $0.count(event) } }
    )

    // A separate thread, because it waits for pipes, and a blocked thread of the pool delays all tasks.
    let deaths = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try kill(folder, server) }) }
    }
    let findings = try await compare(server.orders, folder)
    await server.stop()

    let seconds = start.duration(to: clock.now) / .seconds(1)
    print("seed \(options.seed): \(plan.orders) orders, \(plan.clients) clients, \(plan.takings) intents")
    let counted = tally.withLock { $0 }
    print("\(deaths) kills, \(counted)")
    print(String(format: "%.1f s, %.0f intents per second", seconds, Double(plan.takings) / seconds))
    for finding in findings.prefix(20) { print("DISAGREEMENT: \(finding)") }
    print(findings.isEmpty ? "server and journals agree on every order" : "\(findings.count) disagreements")
    return findings
  }

  private func offer(_ number: Int) -> OfferedOrder {
    OfferedOrder(
      Plan.order(number), details: #"{"number":\#(number)}"#,
      verdict: number % 5 == 3 ? .decline(reason: "order_cancelled") : .accept,
      decidedAfter: [.zero, .milliseconds(20), .milliseconds(100)][number % 3])
  }

  /// Starts and kills the drivers' process repeatedly, then starts it once more and lets it finish.
  private func kill(_ folder: String, _ server: OrderServer) throws -> Int {
    var chance = SplitMix64(seed: options.seed)
    // Spread over the whole run, whatever its length.
    let most = max(1, plan.takings / (options.kills + 1))
    for death in 0... {
      let child = try Child(
        arguments: ["drivers", folder, "\(server.port)", "\(server.pushPort)", "\(plan.orders)", "\(plan.clients)"])
      guard death < options.kills, try child.wait(forLines: 1 + Int(chance.next() % UInt64(most))) else {
        let status = child.waitForEnd()
        guard status == 0 else {
          let end = status < 0 ? "signal \(-status) ended the drivers" : "the drivers exited with code \(status)"
          throw SoakOptions.Failure(description: "Cannot finish the soak test: \(end). See the errors above.")
        }
        return death
      }
      child.kill()
    }
    return 0
  }

  private func compare(_ orders: DispatchState, _ folder: String) async throws -> [String] {
    var findings: [String] = []
    var recorded: Set<String> = []
    for client in 0..<plan.clients {
      let file = try SQLiteJournal<String>(at: Plan.journal(client, in: folder), server: Plan.server)
      if let recovery = file.recovery { findings.append("driver \(client): \(recovery)") }
      for number in plan.orders(of: client) {
        let order = Plan.order(number)
        let taking = orders[order]?.taking
        let isOurs = taking?.driver == Plan.driver(client) && taking?.answer == .accepted
        guard let record = try await file.journal.record(order).get() else {
          findings.append("\(order): the journal of driver \(client) has no record of it")
          continue
        }
        switch record.checkpoint {
        case .ended(.accepted(true)) where isOurs && taking?.key == record.intent.key: recorded.insert(order)
        case .ended(.declined) where !isOurs: break
        default:
          findings.append(
            "\(order): the journal of driver \(client) has \(record.checkpoint) under \(record.intent.key), the server has "
              + (taking.map { "\($0.answer) for \($0.driver) under \($0.key)" } ?? "nothing"))
        }
      }
      file.close()
    }
    for entry in orders.all where entry.taking?.answer == .accepted && !recorded.contains(entry.offer.id) {
      findings.append("\(entry.offer.id): accepted on the server, but not in the journal of a driver")
    }
    for entry in orders.all where entry.taking?.answer == .processing {
      findings.append("\(entry.offer.id): still processing on the server")
    }
    return findings
  }
}

/// The requests and faults of the server.
struct Tally: CustomStringConvertible {
  var requests = 0
  var faults: [String: Int] = [:]

  mutating func count(_ event: OrderServerEvent) {
    switch event {
    case .request(_, _, _, _, let fault):
      requests += 1
      if fault != .none { faults["\(fault)", default: 0] += 1 }
    case .pushed(_, _, let fault?):
      // Without the time of the delay.
      faults["push \(fault.prefix { $0 != "," })", default: 0] += 1
    case .restarted: faults["server restarts", default: 0] += 1
    case .storingFailed: faults["storage failures", default: 0] += 1
    case .auditFailed: faults["audit failures", default: 0] += 1
    case .acceptingFailed: faults["accept failures", default: 0] += 1
    case .pushed, .pushConnected, .pushClosed: break
    }
  }

  var description: String {
    "\(requests) requests, faults: "
      + faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
