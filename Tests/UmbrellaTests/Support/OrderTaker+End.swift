import Boundaries

extension OrderTaker {
  /// Waits until an order is no longer under way.
  func end(of order: OrderID) async {
    for await _ in progress(of: order) {}
  }
}
