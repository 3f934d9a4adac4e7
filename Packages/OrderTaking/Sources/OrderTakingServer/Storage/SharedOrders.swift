internal import OrderTakingDispatch

/// The store decides whether a change is made.
///
/// The memory of a server contains only its push connections and their pushes.
package struct SharedOrders: Sendable {
  /// A stored order, or the reason why it cannot be decoded.
  package typealias ReadEntry = Result<DispatchState.Entry, OrderStoreError>

  /// Returns the stored orders that the response to a driver's request needs.
  package var orders:
    @Sendable (_ request: OrderRequest, _ driver: String) async throws(OrderStoreError) -> [DispatchState.Entry]
  /// Stores a change, gives its push the driver's next cursor, and notifies all servers.
  ///
  /// It returns `false` without a change if the stored order has changed since the decision.
  package var store: @Sendable (DispatchState.Entry) async throws(OrderStoreError) -> Bool
  /// Returns the orders with pushes to drivers after their cursors, by driver and cursor, at most `history` for each driver.
  ///
  /// An order that cannot be decoded is an error in the result, so that it delays no other push.
  package var pushes:
    @Sendable (_ cursors: [String: UInt64], _ history: Int) async throws(OrderStoreError) -> [ReadEntry]
  package var overdue: @Sendable (_ time: Duration) async throws(OrderStoreError) -> [String]
  package var openCount: @Sendable () async throws(OrderStoreError) -> Int
  /// Passes the driver of each push, and `nil` if notifications may have been lost, to a function.
  package var listen: @Sendable (@escaping @Sendable (_ driver: String?) -> Void) -> Void

  package init(
    orders: @escaping @Sendable (OrderRequest, String) async throws(OrderStoreError) -> [DispatchState.Entry],
    store: @escaping @Sendable (DispatchState.Entry) async throws(OrderStoreError) -> Bool,
    pushes: @escaping @Sendable ([String: UInt64], Int) async throws(OrderStoreError) -> [ReadEntry],
    overdue: @escaping @Sendable (Duration) async throws(OrderStoreError) -> [String],
    openCount: @escaping @Sendable () async throws(OrderStoreError) -> Int,
    listen: @escaping @Sendable (@escaping @Sendable (String?) -> Void) -> Void
  ) {
    (self.orders, self.store, self.pushes, self.overdue) = (orders, store, pushes, overdue)
    (self.openCount, self.listen) = (openCount, listen)
  }
}
