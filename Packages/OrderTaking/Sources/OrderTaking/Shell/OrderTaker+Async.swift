internal import Futures

extension OrderTaker {
  /// Takes an order, and waits for the result.
  ///
  /// Cancelling the waiting task ends the wait at once, and also the operation, unless another caller waits for it.
  ///
  /// When it returns, the journal contains the outcome, unless it could not be written. The journal records the
  /// delivery a moment later, in the context in which futures complete. If the process ends before that,
  /// ``resume(under:)`` of the next process delivers the outcome again. To prevent this, wait for that context and then
  /// close the journal before the process ends.
  ///
  /// ```swift
  /// let accepted = try await taker.acceptance(of: order)
  /// ```
  ///
  /// - Throws: ``OrderTakingFailure``, of kind ``OrderTakingFailure/Kind/unknown`` if the task was cancelled.
  public func acceptance(
    of order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) async throws(OrderTakingFailure) -> AcceptedOrder<OrderID, Details> {
    try await take(order, body: body, under: policy).get()
  }
}
