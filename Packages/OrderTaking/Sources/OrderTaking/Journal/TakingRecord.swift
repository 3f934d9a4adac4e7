/// The record of one operation, with which another process can finish it.
public struct TakingRecord<OrderID: Hashable & Sendable>: Hashable, Sendable {
  public var intent: TakingIntent<OrderID>

  /// The time of its start, since 1970.
  ///
  /// Taking the order again renews it, unless the server has accepted the order.
  public var begunAt: Duration

  /// The time of its last PUT, or `nil` if none was recorded.
  ///
  /// It is recorded before the PUT is sent.
  public var lastPutAt: Moment?

  public var checkpoint: TakingCheckpoint

  public var isDelivered: Bool

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

  public var hasKnownOutcome: Bool {
    switch checkpoint {
    case .ended(.unknown): false
    case .ended: true
    case .begun, .acknowledged, .accepted: false
    }
  }

  public var isUnfinished: Bool {
    if case .ended = checkpoint { false } else { true }
  }

  /// Whether it has not ended, or its outcome was not delivered.
  public var needsResuming: Bool { isUnfinished || !isDelivered }

  package var mayBeRemoved: Bool { isDelivered && hasKnownOutcome }

  /// Two accepted outcomes are equal even if only one has details.
  func isEnd(with outcome: TakingOutcome) -> Bool {
    switch (checkpoint, outcome) {
    case (.ended(.accepted), .accepted): true
    case (.ended(let recorded), _): recorded == outcome
    case (.begun, _), (.acknowledged, _), (.accepted, _): false
    }
  }

  var isAccepted: Bool { checkpoint == .accepted || checkpoint.isAcceptance }

  var history: TakingHistory { TakingHistory(checkpoint, begunAt: begunAt, lastPutAt: lastPutAt) }
}

extension TakingCheckpoint {
  fileprivate var isAcceptance: Bool {
    if case .ended(.accepted) = self { true } else { false }
  }
}
