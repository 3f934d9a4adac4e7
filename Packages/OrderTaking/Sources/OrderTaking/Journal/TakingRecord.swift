/// The record of one operation, with which another process can finish it.
public struct TakingRecord<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The order, the body and the key of its PUTs.
  public var intent: TakingIntent<OrderID>

  /// The time of its start, since 1970.
  ///
  /// Taking the order again renews it, unless the server has accepted the order.
  public var begunAt: Duration

  /// The time of its last PUT, or `nil` if none was recorded.
  ///
  /// It is recorded before the PUT is sent.
  public var lastPutAt: Moment?

  /// Its last recorded step.
  public var checkpoint: TakingCheckpoint

  /// Whether its outcome was delivered.
  public var isDelivered: Bool

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - intent: The order, the body and the key of its PUTs.
  ///   - begunAt: The time of its start, since 1970.
  ///   - lastPutAt: The time of its last PUT, or `nil` if none was recorded.
  ///   - checkpoint: Its last recorded step.
  ///   - isDelivered: Whether its outcome was delivered.
  public init(
    intent: TakingIntent<OrderID>, begunAt: Duration, lastPutAt: Moment? = nil, checkpoint: TakingCheckpoint = .begun,
    isDelivered: Bool = false
  ) {
    self.intent = intent
    self.begunAt = begunAt
    self.lastPutAt = lastPutAt
    self.checkpoint = checkpoint
    self.isDelivered = isDelivered
  }

  /// Whether it has ended with a known outcome.
  public var hasKnownOutcome: Bool {
    switch checkpoint {
    case .ended(.unknown): false
    case .ended: true
    case .begun, .acknowledged, .accepted: false
    }
  }

  /// Whether it has not ended.
  public var isUnfinished: Bool {
    if case .ended = checkpoint { false } else { true }
  }

  /// Whether it has not ended, or its outcome was not delivered.
  public var needsResuming: Bool { isUnfinished || !isDelivered }

  /// Whether a ``JournalRetention`` may remove it.
  package var mayBeRemoved: Bool { isDelivered && hasKnownOutcome }

  /// Returns whether it has ended with an outcome.
  ///
  /// An acceptance is the same with and without details.
  func isEnd(with outcome: TakingOutcome) -> Bool {
    switch (checkpoint, outcome) {
    case (.ended(.accepted), .accepted): true
    case (.ended(let recorded), _): recorded == outcome
    case (.begun, _), (.acknowledged, _), (.accepted, _): false
    }
  }

  /// Whether the server has accepted the order.
  var isAccepted: Bool { checkpoint == .accepted || checkpoint.isAcceptance }

  /// The facts that decide how its operation continues.
  var history: TakingHistory { TakingHistory(checkpoint, begunAt: begunAt, lastPutAt: lastPutAt) }
}

extension TakingCheckpoint {
  /// Whether it is the end with an acceptance.
  fileprivate var isAcceptance: Bool {
    if case .ended(.accepted) = self { true } else { false }
  }
}
