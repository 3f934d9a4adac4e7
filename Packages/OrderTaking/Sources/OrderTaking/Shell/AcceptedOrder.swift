/// An order that is ours.
public struct AcceptedOrder<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// Which order.
  public let order: OrderID

  /// What the server says about it; `nil` when time ran out, or the wait was cancelled, before it did.
  ///
  /// The order is ours all the same.
  public let details: Details?

  /// Creates an accepted order.
  public init(order: OrderID, details: Details?) {
    self.order = order
    self.details = details
  }
}

extension AcceptedOrder: Equatable where Details: Equatable {}
extension AcceptedOrder: Hashable where Details: Hashable {}
