/// The records of a journal in memory.
///
/// It locks and unlocks without a closure, because a closure in generic code costs more than the lock.
///
/// `@unchecked Sendable`: the lock guards all fields.
final class RecordsInMemory<OrderID: Hashable & Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private let retention: JournalRetention
  @exclusivity(unchecked) private var records: [OrderKey<OrderID>: TakingRecord<OrderID>] = [:]
  /// The number of records at which the next clean-up is due, so that clean-ups cost constant time for each write on average.
  @exclusivity(unchecked) private var cleanUpCount = 1_024

  init(_ retention: JournalRetention) { self.retention = retention }

  func write(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    records.updateValue(record, forKey: OrderKey(record.intent.order))
    if records.count >= cleanUpCount { cleanUp(at: record.begunAt) }
  }

  func record(of order: OrderID) -> TakingRecord<OrderID>? {
    lock.lock()
    defer { lock.unlock() }
    return records[OrderKey(order)]
  }

  var open: [TakingRecord<OrderID>] {
    lock.lock()
    defer { lock.unlock() }
    return records.values.filter(\.needsResuming).sorted { $0.begunAt < $1.begunAt }
  }

  func acknowledge(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    guard let index = records.index(forKey: OrderKey(record.intent.order)) else { return }
    let isSame =
      records.values[index].intent.key == record.intent.key
      && records.values[index].checkpoint == record.checkpoint
    if isSame { records.values[index].isDelivered = true }
  }

  /// Removes old records.
  ///
  /// - Parameter now: The start of the newest operation, because the journal has no clock.
  private func cleanUp(at now: Duration) {
    if let limit = retention.limit(at: now) {
      records = records.filter { !($0.value.mayBeRemoved && $0.value.begunAt < limit) }
    }
    cleanUpCount = max(1_024, records.count * 2)
  }
}
