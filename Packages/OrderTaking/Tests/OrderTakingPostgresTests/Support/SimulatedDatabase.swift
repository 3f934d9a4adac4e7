import OrderTaking

@testable import OrderTakingPostgres

/// The statements of workers on a table in memory, with the conditions of the real ones.
struct SimulatedDatabase {
  struct Taking {
    var row: TakingRow?
    var owner: String?
    var fence: Int64
    var leaseUntil: Int
  }

  var now = 0
  let lease: Int
  let mistake: Mistake?
  private(set) var takings: [TakingID: Taking] = [:]
  private var lastFence: Int64 = 0
  /// The states before the last transactions, the oldest first.
  private var history: [(takings: [TakingID: Taking], lastFence: Int64)] = []
  private(set) var takeOverCount = 0
  private(set) var violations: [String] = []

  init(lease: Int, mistake: Mistake?) { (self.lease, self.mistake) = (lease, mistake) }

  private mutating func beginTransaction() {
    history = history.suffix(2) + [(takings, lastFence)]
  }

  /// Replaces the server by a replica without the last transactions, at most three.
  mutating func failOver(without count: Int) {
    guard let state = history.suffix(count).first else { return }
    (takings, lastFence) = state
    history = []
  }

  /// - Parameter skew: The difference between the worker's clock and the database's clock.
  mutating func claim(_ id: TakingID, by owner: String, isOwned: Bool, skew: Int) -> WorkerState.Claimed? {
    beginTransaction()
    let time = mistake == .workerClock ? now + skew : now
    let before = takings[id]
    if let before {
      let isFree = before.owner == nil || before.leaseUntil <= time
      guard before.owner == owner || !isOwned && isFree else { return nil }
      if let other = before.owner, other != owner {
        takeOverCount += 1
        if before.leaseUntil > now { violations.append("\(owner) claimed \(id.order) during the lease of \(other)") }
      }
    } else if isOwned {
      return nil
    }
    lastFence += 1
    takings[id] = Taking(row: before?.row, owner: owner, fence: lastFence, leaseUntil: now + lease)
    return WorkerState.Claimed(fence: lastFence, isCancelRequested: false, row: before?.row)
  }

  mutating func write(_ writes: [Write], by owner: String) -> Set<TakingID> {
    beginTransaction()
    var written: Set<TakingID> = []
    for write in writes {
      guard let before = takings[write.id],
        mistake == .fenceDropped || before.fence == write.fence && before.owner == owner
      else { continue }
      if let row = before.row, row.hasEnded, !write.row.hasEnded || row.key != write.row.key {
        violations.append("\(owner) wrote over the end of \(write.id.order)")
      }
      takings[write.id]?.row = write.row
      takings[write.id]?.leaseUntil = now + lease
      written.insert(write.id)
    }
    return written
  }

  mutating func acknowledge(_ acknowledgements: [Acknowledgement], by owner: String) -> Set<TakingID> {
    beginTransaction()
    var acknowledged: Set<TakingID> = []
    for acknowledgement in acknowledgements {
      let id = acknowledgement.id
      guard let before = takings[id], before.fence == acknowledgement.fence, before.owner == owner else { continue }
      acknowledged.insert(id)
      if let delivered = acknowledgement.delivered, var row = before.row, row.key == delivered.key,
        row.change == delivered.change
      {
        row.isDelivered = true
        takings[id]?.row = row
      }
      guard acknowledgement.isReleased else { continue }
      if before.row == nil {
        takings[id] = nil
      } else {
        takings[id]?.owner = nil
        takings[id]?.leaseUntil = now
      }
    }
    return acknowledged
  }

  mutating func renew(_ held: [TakingID: Int64], by owner: String) -> [TakingID: WorkerState.Renewed] {
    beginTransaction()
    var renewed: [TakingID: WorkerState.Renewed] = [:]
    for (id, fence) in held where takings[id]?.fence == fence && takings[id]?.owner == owner {
      takings[id]?.leaseUntil = now + lease
      renewed[id] = WorkerState.Renewed()
    }
    return renewed
  }
}

enum Mistake: String, CaseIterable, Sendable {
  case fenceDropped, workerClock, leaseNotRenewed, effectBeforeCommit
  /// Workers wait for notifications only.
  case notPolled
}

enum SimulatedFaults: String, CaseIterable, Sendable {
  case none
  /// Pauses and crashes of workers, late statements, lost answers and lost notifications.
  case workers
  /// Also fail-overs to a replica that has every confirmed transaction.
  case synchronousFailOver
  /// Also fail-overs to a replica without the last confirmed transactions.
  case failOver
}
