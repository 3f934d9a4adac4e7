internal import Futures

extension OrderTaker {
  /// Takes an order, and waits until the result is known.
  ///
  /// Cancelling the waiting task ends the wait at once, and the operation too, unless somebody else waits for it.
  ///
  /// When it returns the end is in the journal. That it was told is noted there a moment later, on the context that the taker
  /// delivers on: a process that ends before that has the next one's ``resume(under:)`` tell it once more. One that is to end right
  /// after this waits for that context first, and then closes the journal.
  ///
  /// ```swift
  /// let accepted = try await taker.acceptance(of: order)
  /// ```
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - body: What every PUT carries. Joining with another body fails, as ``OrderTakingFailure/Kind/keyMismatch``.
  ///   - policy: Other rules for this operation; those of the taker when left out. A joined operation keeps its own.
  /// - Throws: ``OrderTakingFailure``; one of kind ``OrderTakingFailure/Kind/unknown`` when the task was cancelled.
  public func acceptance(
    of order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) async throws(OrderTakingFailure) -> AcceptedOrder<OrderID, Details> {
    try await take(order, body: body, under: policy).get()
  }
}
