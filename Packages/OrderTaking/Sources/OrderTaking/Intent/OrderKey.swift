/// An order's identity as a key of a dictionary: the same when ``isSameOrder(_:_:)`` says so.
package struct OrderKey<OrderID: Hashable & Sendable>: Hashable, Sendable {
  package let order: OrderID

  package init(_ order: OrderID) { self.order = order }

  package static func == (left: OrderKey, right: OrderKey) -> Bool { isSameOrder(left.order, right.order) }

  /// As the order itself: texts of the same bytes are equal, so they hash alike.
  package func hash(into hasher: inout Hasher) { order.hash(into: &hasher) }
}

/// Whether two identities are one: as their type compares them, and texts by their bytes.
///
/// Two texts that look alike are equal in Swift, `é` as one scalar and as two for one. In a URL, in a journal and for a
/// server they are two orders, and the end of one must not be told as the end of the other.
@usableFromInline
package func isSameOrder<OrderID: Equatable>(_ left: OrderID, _ right: OrderID) -> Bool {
  guard OrderID.self == String.self, let leftText = left as? String, let rightText = right as? String else {
    return left == right
  }
  return leftText.utf8.elementsEqual(rightText.utf8)
}
