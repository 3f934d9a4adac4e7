import Futures
import OrderTaking

extension Journal {
  func stored(_ order: OrderID) -> TakingRecord<OrderID>? { record(order).value ?? nil }

  func store(_ record: TakingRecord<OrderID>) { _ = write(record) }

  var open: [TakingRecord<OrderID>] { openRecords().value ?? [] }
}

extension Future {
  func orders<OrderID, Details>() -> [ResumedOrder<OrderID, Details>] where T == [ResumedOrder<OrderID, Details>] {
    value ?? []
  }
}
