internal import Futures

extension OrderTaker {
  typealias Running = RunningTaking<OrderID, Details>
  typealias Outcome = Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure>

  func shard(of order: OrderID) -> TakingShard<OrderID, Details> {
    shards[OrderKey(order).hashValue & (shards.count - 1)]
  }

  func operation(of order: OrderID) -> Running? {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    return shard.running[OrderKey(order)]
  }

  func join(_ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?) -> (Outcome, new: Running?) {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    if let operation = shard.running[OrderKey(order)] {
      if let body, let known = operation.body, known != body { return (Future(error: Self.otherBody(order)), nil) }
      return (operation.future(), nil)
    }
    let operation = Running(order, body: body, under: policy, taker: self, shard: shard)
    shard.running.updateValue(operation, forKey: OrderKey(order))
    return (operation.future(), operation)
  }

  /// With the lock, so that the journal receives the release before the first call of a later operation.
  func releaseIfIdle(_ order: OrderID) {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    if shard.running[OrderKey(order)] == nil { journal.release(order) }
  }

  static func otherBody(_ order: OrderID) -> OrderTakingFailure {
    OrderTakingFailure(
      .keyMismatch,
      reason: "Cannot take order \(order): an earlier request for it has another body. Use the same body.")
  }
}

extension TakingOutcome {
  func isReported<OrderID, Details>(
    by result: Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>
  ) -> Bool {
    switch (self, result) {
    case (.accepted(let hasDetails), .success(let accepted)): accepted.details != nil || !hasDetails
    case (_, .success): false
    case (_, .failure(let failure)):
      // A failure of the journal can have its cause after the reason.
      OrderTakingFailure(self).map {
        $0.kind == failure.kind && $0.status == failure.status && failure.reason.hasPrefix($0.statement)
      } ?? false
    }
  }
}

/// `@unchecked Sendable`: the lock guards `running`.
final class TakingShard<OrderID: Hashable & Sendable, Details: Sendable>: Lock, @unchecked Sendable {
  @exclusivity(unchecked) var running: [OrderKey<OrderID>: RunningTaking<OrderID, Details>] = [:]

  override init() {}
}
