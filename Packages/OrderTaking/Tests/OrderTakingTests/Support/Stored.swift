import Futures
import OrderTaking

extension Journal {
  func stored(_ order: OrderID) -> TakingRecord? { record(order).value ?? nil }

  func store(_ record: TakingRecord) { _ = write(record) }

  /// The same records for the next process, without the claims of this one.
  var ofNextProcess: Journal {
    var journal = self
    journal.claims = OrderClaims()
    return journal
  }

  var open: [TakingRecord] { dueRecords(.max, []).value ?? [] }
}

extension Future {
  func orders<Details>() -> [OrderTaker<Details>.ResumedOrder] where T == [OrderTaker<Details>.ResumedOrder] {
    value ?? []
  }
}
