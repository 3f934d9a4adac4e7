internal import OrderTaking

struct Write: Sendable {
  let id: TakingID
  let fence: Int64
  let row: TakingRow
}

struct Acknowledgement: Sendable {
  let id: TakingID
  let fence: Int64
  var delivered: TakingRow?
  var isReleased = false
}

extension WorkerState {
  /// The maximum number of orders in one statement, except for the renewal of leases.
  static let batch = 256

  mutating func sendBatch() {
    guard !isBatchInFlight else { return }
    // Claims skip the orders that the index still lists. So an early renewal keeps their number small.
    if isRenewalDue || claimedDue.count >= Self.batch || !pushed.isEmpty && (ready.isEmpty || !hasReadPushes) {
      let held =
        isRenewalDue
        ? holdings.filter { !$0.value.isPlaceholder }.mapValues(\.fence)
        : claimedDue.merging(pushed) { max($0, $1) }
      (isRenewalDue, claimedDue, pushed, hasReadPushes) = (false, [:], [:], true)
      if !held.isEmpty {
        isBatchInFlight = true
        effects.append(.renew(held))
        return
      }
    }
    guard let first = ready.first else { return }
    (isBatchInFlight, hasReadPushes) = (true, false)
    let isWriting = isWrite(first)
    var taken: [TakingID] = []
    var rest: [TakingID] = []
    for id in ready {
      let fits = taken.isEmpty || taken.count < Self.batch && !alone.contains(first) && !alone.contains(id)
      if fits, isWrite(id) == isWriting { taken.append(id) } else { rest.append(id) }
    }
    ready = rest
    effects.append(isWriting ? .write(taken.compactMap(write)) : .acknowledge(taken.compactMap(acknowledgement)))
  }

  private func isWrite(_ id: TakingID) -> Bool {
    if case .write? = queues[id]?.requests.first?.kind { true } else { false }
  }

  private func write(_ id: TakingID) -> Write? {
    guard case .write(let row)? = queues[id]?.requests.first?.kind else { return nil }
    return Write(id: id, fence: holdings[id]?.fence ?? 0, row: row)
  }

  private func acknowledgement(_ id: TakingID) -> Acknowledgement? {
    guard let requests = queues[id]?.requests, let first = requests.first else { return nil }
    var acknowledgement = Acknowledgement(id: id, fence: holdings[id]?.fence ?? 0)
    if case .acknowledge(let row) = first.kind {
      acknowledgement.delivered = row
      if requests.count > 1, case .release = requests[1].kind { acknowledgement.isReleased = true }
    } else {
      acknowledgement.isReleased = true
    }
    return acknowledgement
  }

  mutating func wrote(_ writes: [Write], _ result: Result<Set<TakingID>, PostgresError>) {
    isBatchInFlight = false
    if case .failure(let error) = result, case .refused = error.effect, writes.count > 1 {
      // A single write may have failed all others.
      alone.formUnion(writes.map(\.id))
      ready = writes.map(\.id) + ready
      return sendBatch()
    }
    for write in writes {
      alone.remove(write.id)
      switch result {
      case .success(let owned) where owned.contains(write.id):
        if holdings[write.id]?.fence == write.fence {
          holdings[write.id]?.isPlaceholder = false
          // The end of the operation answers the request.
          if write.row.hasEnded { holdings[write.id]?.isCancelReported = false }
        }
        finish(write.id, .success(nil))
      case .success where holdings[write.id]?.fence == write.fence && holdings[write.id]?.isPlaceholder == true:
        // The lease ended before the first write, so nothing was sent. Another claim finds out whether another worker has a record.
        holdings[write.id]?.isUncertain = true
        queues[write.id]?.isBusy = false
      case .success:
        if holdings[write.id]?.fence == write.fence {
          holdings[write.id] = nil
          effects.append(.observe(ObservedLeases(.lost, count: 1)))
        }
        refuseWrites(of: write.id)
      case .failure(let error):
        if error.effect == .unknown { holdings[write.id]?.isUncertain = true }
        finish(write.id, .failure(error.journalError("write the record of order \(write.id.order)")))
      }
      advance(write.id)
    }
    sendBatch()
  }

  mutating func acknowledged(_ acknowledgements: [Acknowledgement], _ result: Result<Set<TakingID>, PostgresError>) {
    isBatchInFlight = false
    for acknowledgement in acknowledgements {
      let id = acknowledgement.id
      // After a failed release, the lease ends without this worker.
      if acknowledgement.isReleased {
        if holdings[id]?.fence == acknowledgement.fence { holdings[id] = nil }
        lost.remove(id)
      }
      let outcome: Result<TakingRow?, JournalError> =
        switch result {
        case .success(let owned): owned.contains(id) ? .success(nil) : .failure(.fenced(id))
        case .failure(let error): .failure(error.journalError("record the delivery of order \(id.order)"))
        }
      finish(id, outcome)
      if acknowledgement.delivered != nil, acknowledgement.isReleased { finish(id, outcome) }
      advance(id)
    }
    sendBatch()
  }

  // MARK: Leases

  mutating func renewalIsDue() {
    isRenewalDue = true
    sendBatch()
  }

  struct Renewed {
    var isCancelRequested = false
    var push: StoredPush?
  }

  mutating func renewed(_ held: [TakingID: Int64], _ result: Result<[TakingID: Renewed], PostgresError>) {
    isBatchInFlight = false
    if case .success(let owned) = result {
      var lostCount = 0
      for (id, fence) in held where holdings[id]?.fence == fence {
        if let renewed = owned[id] {
          if let push = renewed.push { effects.append(.push(id, push)) }
          guard renewed.isCancelRequested, holdings[id]?.isCancelReported == false else { continue }
          holdings[id]?.isCancelReported = true
          effects.append(.cancel(id))
        } else if !isClaiming(id) {
          holdings[id] = nil
          lost.insert(id)
          lostCount += 1
        }
      }
      for (change, count) in [(ObservedLeases.Change.renewed, owned.count), (.lost, lostCount)] where count > 0 {
        effects.append(.observe(ObservedLeases(change, count: count)))
      }
    }
    sendBatch()
  }

  private func isClaiming(_ id: TakingID) -> Bool {
    guard let queue = queues[id], queue.isBusy, let first = queue.requests.first else { return false }
    if case .claim = first.kind { return true }
    return holdings[id]?.isUncertain == true
  }
}
