import Boundaries
import TestSupport

extension OrderTaker {
  /// Waits until the operation of an order has ended.
  func end(of order: OrderID) async throws {
    try await poll(while: ordersUnderWay.contains(order))
  }
}
