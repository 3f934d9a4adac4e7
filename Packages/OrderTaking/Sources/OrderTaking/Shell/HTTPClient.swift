public import Futures

/// What an operation needs of a server, as a struct of closures.
///
/// Each closure is called once for each request and returns at once; the future may complete on any thread. A future
/// that never completes is ended by the policy's time-out. One whose answer is not wanted any more is cancelled. Two requests of one order are never under way at the same
/// time, unless the first was given up.
///
/// Source: *Reasons to love functional programming*, `HTTPClientProtocol`.
public struct HTTPClient<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// Asks the server to give us the order: PUT, with the intent's key and body.
  public var take: @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>

  /// Asks what became of it: GET.
  public var takingOperationStatus: @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>

  /// Asks for the details of an order that is ours: GET.
  public var acceptedOrderDetails: @Sendable (OrderID) -> Future<Details, HTTPError>

  /// Gets a fresh token after a 401, which the later requests carry.
  public var refreshToken: @Sendable () -> Future<Void, HTTPError>

  /// Creates a client from what it does.
  ///
  /// - Parameters:
  ///   - take: Sends a PUT.
  ///   - takingOperationStatus: Sends a GET for the result.
  ///   - acceptedOrderDetails: Sends a GET for the details.
  ///   - refreshToken: Gets a fresh token. Left out, there is none to be had, and a 401 is final.
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
