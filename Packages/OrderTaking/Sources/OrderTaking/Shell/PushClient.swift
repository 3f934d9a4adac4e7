/// A result that a server pushes without being asked.
public struct PushedResult<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The order that it is about.
  public var order: OrderID
  /// Which intent it is about, when the channel tells.
  ///
  /// Without it, a push that was long on its way may end a later intent for the same order.
  public var key: IdempotencyKey?
  /// How the server decided.
  public var result: TakingResult
  /// Its place among all pushes, when the channel counts them; a push that does not come after the last is a repetition.
  public var cursor: UInt64?

  /// Creates a result.
  public init(order: OrderID, key: IdempotencyKey? = nil, result: TakingResult, cursor: UInt64? = nil) {
    self.order = order
    self.key = key
    self.result = result
    self.cursor = cursor
  }
}

/// The channel on which results are pushed, as a struct of closures.
///
/// Source: *Reasons to love functional programming*, `TCPClientProtocol`.
public struct PushClient<OrderID: Hashable & Sendable>: Sendable {
  /// Calls back with every push from now on, on any thread, until the function that it returns is called.
  ///
  /// A taker subscribes once, before its first PUT, for all its orders.
  public var subscribe:
    @Sendable (_ receive: @escaping @Sendable (PushedResult<OrderID>) -> Void) -> @Sendable () -> Void

  /// Creates a client from what it does.
  public init(
    subscribe:
      @escaping @Sendable (_ receive: @escaping @Sendable (PushedResult<OrderID>) -> Void) -> @Sendable () -> Void
  ) {
    self.subscribe = subscribe
  }

  /// A channel on which nothing is ever pushed.
  public static var none: PushClient { PushClient { _ in {} } }
}
