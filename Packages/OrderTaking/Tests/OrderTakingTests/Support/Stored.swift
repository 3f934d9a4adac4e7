import Futures
import OrderTaking

/// The content of a journal whose futures are completed when they are returned.
extension Journal {
  /// The record of an order.
  func stored(_ order: OrderID) -> TakingRecord<OrderID>? { record(order).value ?? nil }

  /// Stores a record.
  func store(_ record: TakingRecord<OrderID>) { _ = write(record) }

  /// The records that need resuming.
  var open: [TakingRecord<OrderID>] { openRecords().value ?? [] }
}

extension Future {
  /// The resumed orders of such a journal.
  func orders<OrderID, Details>() -> [ResumedOrder<OrderID, Details>] where T == [ResumedOrder<OrderID, Details>] {
    value ?? []
  }
}
