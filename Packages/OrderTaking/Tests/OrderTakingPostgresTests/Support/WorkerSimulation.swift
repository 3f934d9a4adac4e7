import OrderTaking
import TestSupport

@testable import OrderTakingPostgres

/// Workers of the real code on a simulated database, with pauses, crashes, late statements, lost answers, lost notifications and
/// fail-overs.
///
/// Each worker takes all orders: it records the begin, sends a PUT, records the end, and delivers the result.
struct WorkerSimulation {
  private enum Step: Equatable { case claiming, beginning, waiting(until: Int), ending, acknowledging }

  private struct Operation {
    var step = Step.claiming
    var row: TakingRow?
    var ticket = 0
    /// Whether a claim reads the record after an unknown write.
    var isReading = false
  }

  private struct Node {
    var name: String
    var state = WorkerState(claimTimeLimit: .seconds(500))
    let skew: Int
    var pausedUntil = 0
    var pollAt: Int?
    var renewAt = 0
    var operations: [TakingID: Operation] = [:]
  }

  private enum Statement {
    case claim(TakingID, isOwned: Bool)
    case write([Write])
    case acknowledge([Acknowledgement])
    case renew([TakingID: Int64])
  }

  private struct Sent {
    let node: Int
    let name: String
    let statement: Statement
    /// Whether the worker has received a lost answer.
    var isLost = false
    /// Whether its connection was to a server that was replaced.
    var isDead = false
  }

  private struct Notice {
    let node: Int
    let order: String
  }

  private static let lease = 30
  let faults: SimulatedFaults
  private let mistake: Mistake?
  private var random: SeededGenerator
  private var database: SimulatedDatabase
  private var nodes: [Node]
  private var sent: [Sent] = []
  private var notices: [Notice] = []
  private var lastTicket = 0
  private var lastKey: UInt64 = 0
  private let orders: [TakingID]
  /// The keys of the PUTs that the order server has received.
  ///
  /// It accepts the first key of each order.
  private(set) var puts: [TakingID: [String]] = [:]
  private var deliveries: [TakingID: Int] = [:]
  private var violations: [String] = []

  init(seed: UInt64, faults: SimulatedFaults, mistake: Mistake? = nil) {
    (self.faults, self.mistake) = (faults, mistake)
    random = SeededGenerator(seed: seed)
    database = SimulatedDatabase(lease: Self.lease, mistake: mistake)
    // The workers' clocks differ by minutes.
    nodes = (0..<3).map { Node(name: "worker \($0)", skew: $0 * 200) }
    orders = (1...4).map { TakingID(driver: "d", order: "\($0)") }
  }

  mutating func run() -> [String] {
    let faultsEnd = faults == .none ? 0 : 400
    // After the end, waiting claims get the time of several pauses and leases.
    var rest = 10 * Self.lease
    while database.now < 5_000, rest > 0, !isFinished || isClaiming {
      if isFinished { rest -= 1 }
      database.now += 1
      if database.now < faultsEnd { makeFault() }
      for index in nodes.indices where nodes[index].pausedUntil <= database.now { runTimers(of: index) }
      deliverNotice(hasFaults: database.now < faultsEnd)
      for _ in 0..<3 { runStatement(hasFaults: database.now < faultsEnd) }
    }
    for id in orders {
      let count = puts[id]?.count ?? 0
      // A replica can lack the record of the first key. The order server declines the second key.
      if count != 1, faults != .failOver || count == 0 { violations.append("order \(id.order) has \(count) keys") }
      if deliveries[id] == nil { violations.append("the result of order \(id.order) was not delivered") }
    }
    if !isFinished { violations.append("an order is unfinished") }
    if isClaiming {
      violations.append("a call waits for a released order")
    }
    if faults == .none, database.takeOverCount > 0 { violations.append("an order of a running worker was taken over") }
    return violations + database.violations
  }

  private var isFinished: Bool { orders.allSatisfy { database.takings[$0]?.row?.isDelivered == true } }

  private var isClaiming: Bool { nodes.contains { $0.operations.values.contains { $0.step == .claiming } } }

  // MARK: Faults and time

  private mutating func makeFault() {
    let index = Int.random(in: nodes.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0:
      // A crash; another process starts. Its statements stay in transit.
      nodes[index] = Node(name: "worker \(index) at \(database.now)", skew: nodes[index].skew)
    case 5 where faults == .failOver: failOver(without: Int.random(in: 1...3, using: &random))
    case 1, 2: nodes[index].pausedUntil = database.now + Int.random(in: 1...3 * Self.lease, using: &random)
    default: break
    }
  }

  private mutating func runTimers(of index: Int) {
    let now = database.now
    if nodes[index].renewAt <= now, mistake != .leaseNotRenewed {
      nodes[index].renewAt = now + Self.lease / 3
      change(index) { $0.renewalIsDue() }
    }
    if let time = nodes[index].pollAt, time <= now, mistake != .notPolled {
      nodes[index].pollAt = nil
      change(index) { $0.poll(at: .seconds(now)) }
    }
    for id in orders {
      switch nodes[index].operations[id]?.step {
      case nil
      where !isFinished && database.takings[id]?.row?.isDelivered != true && Int.random(in: 0..<20, using: &random) == 0:
        nodes[index].operations[id] = Operation()
        request(.claim, of: id, index)
      case .waiting(let time)? where time <= now:
        let isAccepted = puts[id]?.first == nodes[index].operations[id]?.row?.key
        write(id, .ended(isAccepted ? .accepted(hasDetails: true) : .declined(reason: "taken")), index)
      default: break
      }
    }
  }

  private mutating func deliverNotice(hasFaults: Bool) {
    guard !notices.isEmpty, Bool.random(using: &random) else { return }
    let notice = notices.remove(at: Int.random(in: notices.indices, using: &random))
    if hasFaults, Bool.random(using: &random) { return }
    change(notice.node) { $0.released(notice.order) }
  }

  private mutating func failOver(without count: Int) {
    database.failOver(without: count)
    for index in sent.indices { sent[index].isDead = true }
    notices = []
  }

  // MARK: Statements

  private mutating func change(_ index: Int, _ body: (inout WorkerState) -> Void) {
    body(&nodes[index].state)
    for effect in nodes[index].state.takeEffects() {
      let statement: Statement
      switch effect {
      case .claim(let id, let isOwned): statement = .claim(id, isOwned: isOwned)
      case .write(let writes): statement = .write(writes)
      case .acknowledge(let acknowledgements): statement = .acknowledge(acknowledgements)
      case .renew(let held): statement = .renew(held)
      case .startPolling:
        nodes[index].pollAt = database.now + 2
        continue
      case .cancel, .push, .observe: continue
      case .complete(let ticket, let result):
        let id = nodes[index].operations.first { $0.value.ticket == ticket }?.key
        if let id { completed(id, result, index) }
        continue
      }
      sent.append(Sent(node: index, name: nodes[index].name, statement: statement))
    }
  }

  /// Performs a statement in transit, or loses its answer before or after that.
  private mutating func runStatement(hasFaults: Bool) {
    guard !sent.isEmpty else { return }
    let place = Int.random(in: sent.indices, using: &random)
    let item = sent[place]
    if nodes[item.node].name == item.name, nodes[item.node].pausedUntil > database.now { return }
    let chance = hasFaults ? Int.random(in: 0..<10, using: &random) : 9
    if chance == 0, !item.isLost {
      sent[place].isLost = true
      return answer(item, nil)
    }
    sent.remove(at: place)
    if item.isDead {
      if !item.isLost { self.answer(item, nil) }
      return
    }
    let worker = item.name
    let answer: (inout WorkerState) -> Void
    switch item.statement {
    case .claim(let id, let isOwned):
      let claimed = database.claim(id, by: worker, isOwned: isOwned, skew: nodes[item.node].skew)
      answer = { $0.claimed(id, isOwned: isOwned, .success(claimed)) }
    case .write(let writes):
      let written = database.write(writes, by: worker)
      answer = { $0.wrote(writes, .success(written)) }
    case .acknowledge(let acknowledgements):
      let acknowledged = database.acknowledge(acknowledgements, by: worker)
      answer = { $0.acknowledged(acknowledgements, .success(acknowledged)) }
      for acknowledgement in acknowledgements
      where acknowledgement.isReleased && acknowledged.contains(acknowledgement.id) {
        notices += nodes.indices.map { Notice(node: $0, order: acknowledgement.id.order) }
      }
    case .renew(let held):
      let renewed = database.renew(held, by: worker)
      answer = { $0.renewed(held, .success(renewed)) }
    }
    let isReplaced = faults == .synchronousFailOver && chance == 2 && Int.random(in: 0..<20, using: &random) == 0
    // The replica may lack the transaction, because it was not confirmed.
    if isReplaced { failOver(without: Bool.random(using: &random) ? 1 : 0) }
    if !item.isLost { self.answer(item, chance == 1 || isReplaced ? nil : answer) }
  }

  /// Passes an answer to the worker; `nil` for a lost one.
  private mutating func answer(_ item: Sent, _ body: ((inout WorkerState) -> Void)?) {
    guard nodes[item.node].name == item.name else { return }
    let lost = PostgresError(effect: .unknown, message: "lost")
    change(item.node) { state in
      if let body { return body(&state) }
      switch item.statement {
      case .claim(let id, let isOwned): state.claimed(id, isOwned: isOwned, .failure(lost))
      case .write(let writes): state.wrote(writes, .failure(lost))
      case .acknowledge(let acknowledgements): state.acknowledged(acknowledgements, .failure(lost))
      case .renew(let held): state.renewed(held, .failure(lost))
      }
    }
  }

  // MARK: Operations

  private mutating func request(_ kind: WorkerState.Request.Kind, of id: TakingID, _ index: Int) {
    lastTicket += 1
    nodes[index].operations[id]?.ticket = lastTicket
    let (ticket, now) = (lastTicket, database.now)
    change(index) { $0.add(ticket, kind, of: id, at: .seconds(now)) }
  }

  private mutating func write(_ id: TakingID, _ checkpoint: TakingCheckpoint, _ index: Int) {
    guard var row = nodes[index].operations[id]?.row else { return }
    (row.change, row.detail) = checkpoint.words
    nodes[index].operations[id]?.row = row
    nodes[index].operations[id]?.step = checkpoint == .begun ? .beginning : .ending
    if checkpoint == .begun, mistake == .effectBeforeCommit { put(id, row) }
    request(.write(row), of: id, index)
  }

  private mutating func put(_ id: TakingID, _ row: TakingRow) {
    if database.takings[id]?.row?.key != row.key { violations.append("a PUT of order \(id.order) has no record") }
    if puts[id]?.contains(row.key) != true { puts[id, default: []].append(row.key) }
  }

  private mutating func completed(_ id: TakingID, _ result: Result<TakingRow?, JournalError>, _ index: Int) {
    guard let operation = nodes[index].operations[id] else { return }
    switch (operation.step, result) {
    case (.acknowledging, _): nodes[index].operations[id] = nil
    case (_, .failure(let error)) where error.kind == .unknownOutcome && operation.step != .claiming:
      nodes[index].operations[id]?.isReading = true
      request(.claim, of: id, index)
    case (_, .failure): end(id, index)
    case (.claiming, .success(let row)): claimed(id, row, index)
    case (_, .success(let row)) where operation.isReading:
      nodes[index].operations[id]?.isReading = false
      if row == operation.row { wrote(id, index) } else { end(id, index) }
    case (_, .success): wrote(id, index)
    }
  }

  private mutating func claimed(_ id: TakingID, _ row: TakingRow?, _ index: Int) {
    lastKey += 1
    nodes[index].operations[id]?.row = row ?? TakingRow(record(id.order, key: lastKey))
    switch row {
    case let row? where row.isDelivered: end(id, index)
    case let row? where row.hasEnded: deliver(id, index)
    default: write(id, .begun, index)
    }
  }

  private mutating func wrote(_ id: TakingID, _ index: Int) {
    guard let operation = nodes[index].operations[id], let row = operation.row else { return }
    if operation.step == .ending { return deliver(id, index) }
    put(id, row)
    let time = database.now + Int.random(in: 1...3 * Self.lease, using: &random)
    nodes[index].operations[id]?.step = .waiting(until: time)
  }

  private mutating func deliver(_ id: TakingID, _ index: Int) {
    guard let row = nodes[index].operations[id]?.row else { return }
    if row.change == "ended accepted", puts[id]?.first != row.key {
      violations.append("order \(id.order) was accepted twice")
    }
    deliveries[id, default: 0] += 1
    nodes[index].operations[id]?.step = .acknowledging
    request(.acknowledge(row), of: id, index)
    request(.release, of: id, index)
  }

  private mutating func end(_ id: TakingID, _ index: Int) {
    nodes[index].operations[id]?.step = .acknowledging
    request(.release, of: id, index)
  }
}
