/// The records of a journal in memory.
///
/// It locks and unlocks without a closure, because a closure in generic code costs more than the lock.
///
/// `@unchecked Sendable`: the lock guards `records`.
final class RecordsInMemory<OrderID: Hashable & Sendable>: @unchecked Sendable {
  private let lock = Lock()
  @exclusivity(unchecked) private var records: [OrderKey<OrderID>: TakingRecord<OrderID>] = [:]

  func write(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    records.updateValue(record, forKey: OrderKey(record.intent.order))
  }

  func record(of order: OrderID) -> TakingRecord<OrderID>? {
    lock.lock()
    defer { lock.unlock() }
    return records[OrderKey(order)]
  }

  var all: [TakingRecord<OrderID>] {
    lock.lock()
    defer { lock.unlock() }
    return records.values.sorted { $0.begunAt < $1.begunAt }
  }

  func noteDelivery(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    guard let place = records.index(forKey: OrderKey(record.intent.order)) else { return }
    let isStillThere =
      records.values[place].intent.key == record.intent.key && records.values[place].change == record.change
    if isStillThere { records.values[place].isDelivered = true }
  }

  func forget(_ order: OrderID) {
    lock.lock()
    defer { lock.unlock() }
    records.removeValue(forKey: OrderKey(order))
  }
}
