public import Futures

/// The requests of an operation, as a struct of closures.
///
/// Each closure is called once for each request and must return at once. Its future can complete on any thread. The policy's timeout
/// ends a future that never completes. A future whose response is no longer needed is cancelled. A request of an order begins only
/// after its previous one has ended or was cancelled.
///
/// Source: *Reasons to love functional programming*, `HTTPClientProtocol`.
public struct OrderHTTPClient<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  public var take: @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>

  public var takingOperationStatus: @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>

  public var acceptedOrderDetails: @Sendable (OrderID) -> Future<Details, HTTPError>

  /// Gets a fresh token after a 401, for the next requests.
  ///
  /// After an error that the policy retries, such as a timeout or a 5xx, the order is sent again. Another 401 then
  /// calls this function again. Any other error rejects the order.
  public var refreshToken: @Sendable () -> Future<Void, HTTPError>

  /// By default, `refreshToken` fails, so that a 401 rejects the order.
  public init(
    take: @escaping @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>,
    takingOperationStatus: @escaping @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>,
    acceptedOrderDetails: @escaping @Sendable (OrderID) -> Future<Details, HTTPError>,
    refreshToken: @escaping @Sendable () -> Future<Void, HTTPError> = { Future(error: .status(401)) }
  ) {
    self.take = take
    self.takingOperationStatus = takingOperationStatus
    self.acceptedOrderDetails = acceptedOrderDetails
    self.refreshToken = refreshToken
  }
}
