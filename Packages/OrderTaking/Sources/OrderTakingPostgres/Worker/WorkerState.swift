internal import OrderTaking

/// The requests of one order run one at a time, in the order of the calls.
///
/// Claims of different orders run concurrently. Writes, acknowledgements and renewals are batches, one at a time, so
/// that one commit serves many orders and they cannot deadlock each other.
struct WorkerState {
  struct Holding: Equatable {
    var fence: Int64
    /// Whether the order has no record yet; its lease is not renewed.
    var isPlaceholder: Bool
    /// Whether an earlier statement may still take effect, so that the fence must be raised before the next write.
    var isUncertain = false
    var isCancelReported = false
  }

  struct Request {
    enum Kind {
      case claim
      case write(TakingRow)
      case acknowledge(TakingRow)
      case release
    }

    let ticket: Int
    let kind: Kind
    let time: Duration
  }

  struct RequestQueue {
    var requests: [Request] = []
    /// Whether the first request runs, or waits for the next batch or for another owner.
    var isBusy = false
    var lostAnswers = 0
    var isNotified = false
  }

  enum Effect {
    /// Claim an order; `isOwned` if only this worker may own it.
    case claim(TakingID, isOwned: Bool)
    case write([Write])
    case acknowledge([Acknowledgement])
    case renew([TakingID: Int64])
    case complete(ticket: Int, Result<TakingRow?, JournalError>)
    case cancel(TakingID)
    case push(TakingID, StoredPush)
    case startPolling
    case observe(ObservedLeases)
  }

  let claimTimeLimit: Duration
  var holdings: [TakingID: Holding] = [:]
  /// The orders that another worker has taken over while an operation of this one may run.
  ///
  /// The next write is refused even after a second claim, because the operation does not know the changes of the other
  /// worker.
  var lost: Set<TakingID> = []
  var queues: [TakingID: RequestQueue] = [:]
  /// The orders whose claim waits for another owner.
  var parked: Set<TakingID> = []
  private var isPolling = false
  var ready: [TakingID] = []
  /// The orders whose write was refused together with others.
  var alone: Set<TakingID> = []
  /// The due orders that were claimed since the last renewal; the index still lists them as due.
  var claimedDue: [TakingID: Int64] = [:]
  /// The orders with a stored push since the last renewal.
  ///
  /// The next renewal returns it.
  var pushed: [TakingID: Int64] = [:]
  /// Whether the last batch read pushes, so that waiting requests go before the next pushes.
  var hasReadPushes = false
  var isBatchInFlight = false
  var isRenewalDue = false
  var effects: [Effect] = []

  init(claimTimeLimit: Duration) { self.claimTimeLimit = claimTimeLimit }

  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Requests

  mutating func add(_ ticket: Int, _ kind: Request.Kind, of id: TakingID, at now: Duration) {
    queues[id, default: RequestQueue()].requests.append(Request(ticket: ticket, kind: kind, time: now))
    advance(id)
    sendBatch()
  }

  mutating func advance(_ id: TakingID) {
    while let queue = queues[id], !queue.isBusy {
      guard let first = queue.requests.first else {
        queues[id] = nil
        return
      }
      let holding = holdings[id]
      switch first.kind {
      case .claim:
        queues[id]?.isBusy = true
        effects.append(.claim(id, isOwned: holding != nil))
      case .write where holding == nil || lost.contains(id): refuseWrites(of: id)
      case .write where holding?.isUncertain == true:
        queues[id]?.isBusy = true
        effects.append(.claim(id, isOwned: holding?.isPlaceholder == false))
      case .acknowledge where holding == nil: finish(id, .failure(.fenced(id)))
      case .release where holding == nil:
        lost.remove(id)
        finish(id, .success(nil))
      case .write, .acknowledge, .release:
        queues[id]?.isBusy = true
        ready.append(id)
      }
    }
  }

  mutating func finish(_ id: TakingID, _ result: Result<TakingRow?, JournalError>) {
    guard let first = queues[id]?.requests.first else { return }
    queues[id]?.requests.removeFirst()
    queues[id]?.isBusy = false
    queues[id]?.lostAnswers = 0
    effects.append(.complete(ticket: first.ticket, result))
  }

  /// The operation ends with the first refusal, so the next claim is of another operation.
  mutating func refuseWrites(of id: TakingID) {
    while case .write? = queues[id]?.requests.first?.kind { finish(id, .failure(.fenced(id))) }
    lost.remove(id)
  }

  // MARK: Claims

  struct Claimed {
    let fence: Int64
    let isCancelRequested: Bool
    let row: TakingRow?
    var push: StoredPush?
  }

  mutating func claimed(_ id: TakingID, isOwned: Bool, _ result: Result<Claimed?, PostgresError>) {
    guard let first = queues[id]?.requests.first else { return }
    let isForWrite = if case .write = first.kind { true } else { false }
    switch result {
    case .success(let claimed?):
      let isReported = isOwned && holdings[id]?.isCancelReported == true
      if holdings[id] == nil { effects.append(.observe(ObservedLeases(.claimed, count: 1))) }
      holdings[id] = Holding(
        fence: claimed.fence, isPlaceholder: claimed.row == nil, isCancelReported: isReported)
      if isForWrite {
        queues[id]?.isBusy = false
        // The operation knows nothing of a record that another worker has written.
        if !isOwned, claimed.row != nil { refuseWrites(of: id) }
      } else {
        finish(id, .success(claimed.row))
      }
      if let push = claimed.push { effects.append(.push(id, push)) }
      // The renewal reports the cancellation.
      if claimed.isCancelRequested, !isReported { isRenewalDue = true }
    case .success(nil) where isOwned || isForWrite:
      holdings[id] = nil
      lost.insert(id)
      effects.append(.observe(ObservedLeases(.lost, count: 1)))
      queues[id]?.isBusy = false
    case .success(nil) where queues[id]?.isNotified == true:
      queues[id]?.isNotified = false
      effects.append(.claim(id, isOwned: false))
    case .success(nil): park(id)
    case .failure(let error):
      // The statement may have raised the fence, or may still do so.
      if error.effect == .unknown { holdings[id]?.isUncertain = true }
      queues[id]?.lostAnswers += 1
      if error.effect == .unknown, queues[id]?.lostAnswers ?? 0 < 3 {
        effects.append(.claim(id, isOwned: isOwned))
      } else {
        finish(id, .failure(JournalError(.storage, error.journalError("claim order \(id.order)").description)))
      }
    }
    advance(id)
    sendBatch()
  }

  private mutating func park(_ id: TakingID) {
    parked.insert(id)
    guard !isPolling else { return }
    isPolling = true
    effects.append(.startPolling)
  }

  mutating func poll(at now: Duration) {
    isPolling = false
    for id in parked.sorted(by: TakingID.precedes) {
      guard let first = queues[id]?.requests.first, now - first.time < claimTimeLimit else {
        parked.remove(id)
        let error = JournalError(
          .inUse,
          "Cannot claim order \(id.order): another worker has owned it for the whole time limit. Try again later.")
        finish(id, .failure(error))
        advance(id)
        continue
      }
      retry(id)
    }
    sendBatch()
  }

  mutating func released(_ prefix: String) {
    let ids = queues.keys.filter { $0.order.utf8.starts(with: prefix.utf8) }
    for id in ids.sorted(by: TakingID.precedes) {
      if parked.contains(id) { retry(id) } else { queues[id]?.isNotified = true }
    }
  }

  mutating func pushed(_ prefixes: TakingID) {
    if Notification.isWhole(prefixes.driver), Notification.isWhole(prefixes.order) {
      if let holding = holdings[prefixes], !holding.isPlaceholder { pushed[prefixes] = holding.fence }
    } else {
      for (id, holding) in holdings
      where !holding.isPlaceholder && id.order.utf8.starts(with: prefixes.order.utf8)
        && id.driver.utf8.starts(with: prefixes.driver.utf8)
      {
        pushed[id] = holding.fence
      }
    }
    sendBatch()
  }

  private mutating func retry(_ id: TakingID) {
    parked.remove(id)
    effects.append(.claim(id, isOwned: false))
  }

  mutating func opened(_ claimed: [TakingID: Claimed]) {
    for (id, claim) in claimed where holdings[id].map({ $0.fence < claim.fence }) ?? true {
      holdings[id] = Holding(fence: claim.fence, isPlaceholder: false)
      claimedDue[id] = claim.fence
      if claim.isCancelRequested { isRenewalDue = true }
    }
    if !claimed.isEmpty { effects.append(.observe(ObservedLeases(.claimed, count: claimed.count))) }
    sendBatch()
  }

  /// Forgets a claim without a statement, so that its lease ends.
  mutating func abandon(_ id: TakingID) {
    // Requests of the order keep the claim.
    guard queues[id] == nil else { return }
    (holdings[id], claimedDue[id]) = (nil, nil)
  }
}

extension JournalError {
  static func fenced(_ id: TakingID) -> JournalError {
    JournalError(
      .fenced,
      "Cannot change the record of order \(id.order): this worker does not own it. Another worker has taken it over; wait for its "
        + "result.")
  }
}

extension WorkerState.Claimed {
  init?(_ row: Row, from first: Int) {
    guard let fence = row.integer(first) else { return nil }
    (self.fence, isCancelRequested) = (fence, row.flag(first + 1))
    self.row = TakingRow(row, from: first + 2)
    push = StoredPush(row, from: first + 11)
  }
}
