public import Futures

/// The requests of an operation, as a struct of closures.
///
/// Each closure must return at once. Its future can complete on any thread. The policy's timeout ends a future that never completes. A
/// future whose response is no longer needed is cancelled. An order has one request at a time.
///
/// Source: *Reasons to love functional programming*, `HTTPClientProtocol`.
public struct OrderHTTPClient<Details: Sendable>: Sendable {
  public var take: @Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>

  public var takingOperationStatus: @Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>

  public var acceptedOrderDetails: @Sendable (OrderID) -> Future<Details, HTTPError>

  /// Gets a fresh token after a 401, for the next requests.
  ///
  /// An error that the policy does not retry rejects the order.
  public var refreshToken: @Sendable () -> Future<Void, HTTPError>

  /// By default, `refreshToken` fails, so that a 401 rejects the order.
  public init(
    take: @escaping @Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>,
    takingOperationStatus: @escaping @Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>,
    acceptedOrderDetails: @escaping @Sendable (OrderID) -> Future<Details, HTTPError>,
    refreshToken: @escaping @Sendable () -> Future<Void, HTTPError> = { Future(error: .status(401)) }
  ) {
    self.take = take
    self.takingOperationStatus = takingOperationStatus
    self.acceptedOrderDetails = acceptedOrderDetails
    self.refreshToken = refreshToken
  }
}

/// The channel of pushed results, as a struct of closures.
///
/// Source: *Reasons to love functional programming*, `TCPClientProtocol`.
public struct PushClient: Sendable {
  /// Calls back with every push, on any thread, until the returned function is called.
  public var subscribe: @Sendable (_ receive: @escaping @Sendable (PushedResult) -> Void) -> @Sendable () -> Void

  public init(
    subscribe:
      @escaping @Sendable (_ receive: @escaping @Sendable (PushedResult) -> Void) -> @Sendable () -> Void
  ) {
    self.subscribe = subscribe
  }

  public static var none: PushClient { PushClient { _ in {} } }
}

public struct PushedResult: Hashable, Sendable {
  public var order: OrderID
  /// The key of the intent, if the channel sends it.
  ///
  /// Without a key, a delayed push can end a later intent for the same order.
  public var key: IdempotencyKey?
  public var result: TakingResult

  public init(order: OrderID, key: IdempotencyKey? = nil, result: TakingResult) {
    (self.order, self.key, self.result) = (order, key, result)
  }
}
