extension OrderTaker {
  /// Takes an order, and waits until the result is known.
  ///
  /// Cancelling the waiting task ends the wait at once. It also ends the operation, unless somebody else waits for it in
  /// this way or has its future.
  ///
  /// ```swift
  /// let accepted = try await taker.acceptance(of: order)
  /// ```
  ///
  /// - Throws: ``OrderTakingFailure``; one of kind ``OrderTakingFailure/Kind/unknown`` when the task was cancelled and the
  ///   operation goes on for others.
  public func acceptance(
    of order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) async throws(OrderTakingFailure) -> AcceptedOrder<OrderID, Details> {
    try await core.acceptance(of: order, body: body, under: policy)
  }
}
