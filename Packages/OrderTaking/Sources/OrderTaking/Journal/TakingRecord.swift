/// The record of one operation, with which another process can finish it.
public struct TakingRecord<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The order, the body and the key of its PUTs.
  public var intent: TakingIntent<OrderID>

  /// The time of its start, since 1970.
  public var begunAt: Duration

  /// Its last recorded step.
  public var change: TakingChange

  /// Whether its outcome was delivered.
  public var isDelivered: Bool

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - intent: The order, the body and the key of its PUTs.
  ///   - begunAt: The time of its start, since 1970.
  ///   - change: Its last recorded step.
  ///   - isDelivered: Whether its outcome was delivered.
  public init(
    intent: TakingIntent<OrderID>, begunAt: Duration, change: TakingChange = .begun, isDelivered: Bool = false
  ) {
    self.intent = intent
    self.begunAt = begunAt
    self.change = change
    self.isDelivered = isDelivered
  }

  /// Whether it has ended with a known outcome.
  public var isSettled: Bool {
    switch change {
    case .ended(.unknown): false
    case .ended: true
    case .begun, .acknowledged, .accepted: false
    }
  }

  /// Whether it has not ended.
  public var isUnfinished: Bool {
    if case .ended = change { false } else { true }
  }

  /// Whether it has not ended, or its outcome was not delivered.
  public var needsResuming: Bool { isUnfinished || !isDelivered }
}
