internal import Futures

extension OrderTaker {
  /// Takes an order, and waits until the result is known.
  ///
  /// Cancelling the waiting task ends the wait at once, and the operation too, unless somebody else waits for it.
  ///
  /// ```swift
  /// let accepted = try await taker.acceptance(of: order)
  /// ```
  ///
  /// - Throws: ``OrderTakingFailure``; one of kind ``OrderTakingFailure/Kind/unknown`` when the task was cancelled.
  public func acceptance(
    of order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) async throws(OrderTakingFailure) -> AcceptedOrder<OrderID, Details> {
    try await take(order, body: body, under: policy).get()
  }
}
