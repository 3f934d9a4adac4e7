public struct AcceptedOrder<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  public let order: OrderID

  /// The details of the order, or `nil` if they did not arrive before the deadline or the cancellation.
  public let details: Details?

  public init(order: OrderID, details: Details?) {
    self.order = order
    self.details = details
  }
}

extension AcceptedOrder: Equatable where Details: Equatable {}
extension AcceptedOrder: Hashable where Details: Hashable {}
