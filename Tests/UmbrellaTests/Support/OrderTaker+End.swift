import Boundaries

extension OrderTaker {
  /// Waits until the operation of an order has ended.
  func end(of order: OrderID) async {
    for await _ in progress(of: order) {}
  }
}
