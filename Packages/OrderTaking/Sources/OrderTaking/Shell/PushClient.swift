public struct PushedResult<OrderID: Hashable & Sendable>: Hashable, Sendable {
  public var order: OrderID
  /// The key of the intent, if the channel sends it.
  ///
  /// Without a key, a delayed push can end a later intent for the same order.
  public var key: IdempotencyKey?
  public var result: TakingResult
  /// The position among all pushes to the driver, if the channel counts them.
  ///
  /// A push is ignored if its cursor is not greater than that of the previous push for the same operation.
  public var cursor: UInt64?
  public var checkpoint: PushCheckpoint?

  public init(
    order: OrderID, key: IdempotencyKey? = nil, result: TakingResult, cursor: UInt64? = nil,
    checkpoint: PushCheckpoint? = nil
  ) {
    self.order = order
    self.key = key
    self.result = result
    self.cursor = cursor
    self.checkpoint = checkpoint
  }
}

/// A position in the pushes to a driver, from which a later subscription continues.
///
/// Store it with the push. A subscription that continues from it misses no push, and can repeat some.
public struct PushCheckpoint: Hashable, Sendable {
  /// The name of the numbering of pushes.
  public var epoch: String
  /// The cursor up to which all pushes have arrived.
  public var cursor: UInt64

  public init(epoch: String, cursor: UInt64) {
    self.epoch = epoch
    self.cursor = cursor
  }
}

/// The channel of pushed results, as a struct of closures.
///
/// Source: *Reasons to love functional programming*, `TCPClientProtocol`.
public struct PushClient<OrderID: Hashable & Sendable>: Sendable {
  /// Calls back with every push, on any thread, until the returned function is called.
  ///
  /// A taker subscribes once, before its first PUT, for all its orders.
  public var subscribe:
    @Sendable (_ receive: @escaping @Sendable (PushedResult<OrderID>) -> Void) -> @Sendable () -> Void

  public init(
    subscribe:
      @escaping @Sendable (_ receive: @escaping @Sendable (PushedResult<OrderID>) -> Void) -> @Sendable () -> Void
  ) {
    self.subscribe = subscribe
  }

  public static var none: PushClient { PushClient { _ in {} } }
}
