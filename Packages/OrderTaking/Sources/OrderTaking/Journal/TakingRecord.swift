/// What the journal holds of one operation: enough to finish it in another process.
public struct TakingRecord<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// What is wanted, with the key of its PUTs.
  public var intent: TakingIntent<OrderID>

  /// When it was begun, as the time since 1970.
  public var begunAt: Duration

  /// How far it has come.
  public var change: TakingChange

  /// Whether those who waited have been told how it ended; `false` as long as it has not ended.
  public var isDelivered: Bool

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - intent: What is wanted.
  ///   - begunAt: When it was begun, as the time since 1970.
  ///   - change: How far it has come.
  ///   - isDelivered: Whether those who waited have been told how it ended.
  public init(
    intent: TakingIntent<OrderID>, begunAt: Duration, change: TakingChange = .begun, isDelivered: Bool = false
  ) {
    self.intent = intent
    self.begunAt = begunAt
    self.change = change
    self.isDelivered = isDelivered
  }

  /// Whether it is over and known how.
  public var isSettled: Bool {
    switch change {
    case .ended(.unknown): false
    case .ended: true
    case .begun, .acknowledged, .accepted: false
    }
  }

  /// Whether a process that stopped has left it unfinished.
  public var isUnfinished: Bool {
    if case .ended = change { false } else { true }
  }

  /// Whether a process that stopped has left it unfinished, or has told nobody how it ended.
  public var needsResuming: Bool { isUnfinished || !isDelivered }
}
