/// An order as a key of a dictionary, compared with ``isSameOrder(_:_:)``.
package struct OrderKey<OrderID: Hashable & Sendable>: Hashable, Sendable {
  package let order: OrderID

  package init(_ order: OrderID) { self.order = order }

  package static func == (left: OrderKey, right: OrderKey) -> Bool { isSameOrder(left.order, right.order) }

  package func hash(into hasher: inout Hasher) { order.hash(into: &hasher) }
}

/// Texts are compared by their bytes.
///
/// In Swift, texts with the same characters are equal, for example `é` as one scalar and as two scalars. In a URL, in a
/// journal and for a server they are different orders.
@usableFromInline
package func isSameOrder<OrderID: Equatable>(_ left: OrderID, _ right: OrderID) -> Bool {
  guard OrderID.self == String.self, let leftText = left as? String, let rightText = right as? String else {
    return left == right
  }
  return leftText.utf8.elementsEqual(rightText.utf8)
}
