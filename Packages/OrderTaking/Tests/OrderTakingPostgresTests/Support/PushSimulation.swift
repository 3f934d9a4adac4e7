import OrderTaking
import TestSupport

@testable import OrderTakingPostgres

/// Push channels of the real code on a simulated database and order server, with pauses, crashes, late statements, lost answers and
/// closed connections.
struct PushSimulation {
  /// A mistake that the simulation must find.
  enum Mistake: CaseIterable, Sendable {
    case fenceDropped, leaseNotRenewed
    /// The checkpoint is committed before the push, so that a crash between them loses the push.
    case separateTransactions
  }

  private struct Node {
    var name: String
    var state = DriverState()
    var pausedUntil = 0
    var tickAt = 0
    var connection: Connection?
  }

  private struct Connection {
    let fence: Int64
    var cursor: UInt64
  }

  private struct Sent {
    let node: Int
    let name: String
    let effect: DriverState.Effect
  }

  private static let lease = 30
  private static let pushCount: UInt64 = 30
  private let driver = DriverID("d")
  private let hasFaults: Bool
  private let mistake: Mistake?
  private var random: SeededGenerator
  private var now = 0
  private var nodes: [Node] = (0..<3).map { Node(name: "worker \($0)") }
  private var sent: [Sent] = []
  private var available: UInt64 = 0
  private(set) var connectCount = 0
  // The database.
  private var owner: String?
  private var fence: Int64 = 0
  private var leaseUntil = 0
  private var cursor: UInt64 = 0
  private var stored: Set<UInt64> = []
  private var violations: [String] = []

  init(seed: UInt64, hasFaults: Bool, mistake: Mistake? = nil) {
    (self.hasFaults, self.mistake) = (hasFaults, mistake)
    random = SeededGenerator(seed: seed)
  }

  mutating func run() -> [String] {
    for index in nodes.indices { change(index) { $0.subscribe(DriverID("d")) } }
    while now < 3_000, now < 1_000 || stored.count < Self.pushCount {
      now += 1
      if hasFaults, now < 800 { makeFault() }
      if available < Self.pushCount, chance(20) { available += 1 }
      for index in nodes.indices where nodes[index].pausedUntil <= now { work(index) }
      for _ in 0..<2 { runStatement() }
      if !hasFaults, nodes.count(where: { $0.connection != nil }) > 1 { violations.append("two connections are open") }
    }
    if stored != Set(1...Self.pushCount) { violations.append("a push was lost") }
    if nodes.count(where: { $0.connection != nil }) != 1 { violations.append("not one connection is open at the end") }
    return violations
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func makeFault() {
    let index = Int.random(in: nodes.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0:
      // A crash; another process starts. Its statements stay in transit.
      nodes[index] = Node(name: "worker \(index) at \(now)")
      change(index) { $0.subscribe(DriverID("d")) }
    case 1, 2: nodes[index].pausedUntil = now + Int.random(in: 1...3 * Self.lease, using: &random)
    default: break
    }
  }

  private mutating func work(_ index: Int) {
    if nodes[index].tickAt <= now {
      nodes[index].tickAt = now + Self.lease / 3
      change(index) { $0.claim() }
    }
    // The client of the channel reconnects by itself, so pushes can be late but stay in order.
    if let connection = nodes[index].connection, connection.cursor < available, Bool.random(using: &random) {
      let cursor = connection.cursor + 1
      nodes[index].connection?.cursor = cursor
      let push = ReceivedPush(
        order: "\(cursor)", result: .accepted, checkpoint: PushCheckpoint(epoch: "e", cursor: cursor))
      change(index) { $0.received(push, of: DriverID("d"), fence: connection.fence) }
    }
  }

  private mutating func change(_ index: Int, _ body: (inout DriverState) -> Void) {
    body(&nodes[index].state)
    for effect in nodes[index].state.takeEffects() {
      switch effect {
      case .open(_, let fence, let checkpoint):
        connectCount += 1
        nodes[index].connection = Connection(fence: fence, cursor: checkpoint?.cursor ?? 0)
      case .close: nodes[index].connection = nil
      case .claim, .store, .release: sent.append(Sent(node: index, name: nodes[index].name, effect: effect))
      }
    }
  }

  // MARK: Statements

  /// Performs a statement in transit, in any order, and passes or loses its answer.
  private mutating func runStatement() {
    guard !sent.isEmpty else { return }
    let item = sent.remove(at: Int.random(in: sent.indices, using: &random))
    let isFaulty = hasFaults && now < 800
    if isFaulty, chance(10) { return sent.append(item) }
    let (isPerformed, isAnswered) = (!isFaulty || !chance(10), !isFaulty || !chance(10))
    switch item.effect {
    case .claim(let claims):
      let claimed = isPerformed ? claim(claims, by: item.name) : nil
      answer(item) { $0.claimed(claims, isAnswered ? claimed : nil) }
    case .store(let push, let driver, let fence):
      let isStored = isPerformed && store(push, fence, by: item.name)
      answer(item) { $0.stored(driver, fence: fence, isStored: isAnswered && isStored) }
    case .open, .close, .release: break
    }
  }

  private mutating func answer(_ item: Sent, _ body: (inout DriverState) -> Void) {
    if nodes[item.node].name == item.name { change(item.node, body) }
  }

  private mutating func claim(_ claims: [DriverState.Claim], by name: String) -> [DriverID: DriverState.Claimed] {
    guard owner == nil || owner == name || leaseUntil <= now else { return [:] }
    let isRenewal = owner == name && claims[0].fence == fence
    if isRenewal, mistake == .leaseNotRenewed { return [driver: claimedNow] }
    if !isRenewal { fence += 1 }
    (owner, leaseUntil) = (name, now + Self.lease)
    return [driver: claimedNow]
  }

  private var claimedNow: DriverState.Claimed {
    DriverState.Claimed(fence: fence, checkpoint: cursor == 0 ? nil : PushCheckpoint(epoch: "e", cursor: cursor))
  }

  private mutating func store(_ push: ReceivedPush, _ old: Int64, by name: String) -> Bool {
    guard mistake == .fenceDropped || owner == name && fence == old, let number = push.checkpoint?.cursor else {
      return false
    }
    if number < cursor { violations.append("the checkpoint went back from \(cursor) to \(number)") }
    (cursor, leaseUntil) = (number, now + Self.lease)
    if mistake == .separateTransactions, chance(5) { return false }
    stored.insert(number)
    if !stored.isSuperset(of: 1...number) {
      violations.append("checkpoint \(number) follows a push that is not stored")
    }
    return true
  }
}
