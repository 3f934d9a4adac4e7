/// Locks without a closure, because a closure in generic code costs more than the lock.
///
/// `@unchecked Sendable`: the lock guards all fields.
final class RecordsInMemory<OrderID: Hashable & Sendable>: @unchecked Sendable {
  /// A record behind a reference, because a dictionary keeps up to three times as much space as its values need.
  private final class Entry {
    @exclusivity(unchecked) var record: TakingRecord<OrderID>

    init(_ record: TakingRecord<OrderID>) { self.record = record }
  }

  private let lock = Lock()
  private let retention: JournalRetention
  @exclusivity(unchecked) private var entries: [OrderKey<OrderID>: Entry] = [:]
  /// The number of records at which the next clean-up is due.
  ///
  /// It grows, so that a write costs constant time on average.
  @exclusivity(unchecked) private var cleanUpCount = 1_024

  init(_ retention: JournalRetention) { self.retention = retention }

  func write(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    let key = OrderKey(record.intent.order)
    if let entry = entries[key] {
      entry.record = record
      return
    }
    entries[key] = Entry(record)
    if entries.count >= cleanUpCount { cleanUp(at: record.begunAt) }
  }

  func record(of order: OrderID) -> TakingRecord<OrderID>? {
    lock.lock()
    defer { lock.unlock() }
    return entries[OrderKey(order)]?.record
  }

  var open: [TakingRecord<OrderID>] {
    lock.lock()
    defer { lock.unlock() }
    return entries.values.map(\.record).filter(\.needsResuming).sorted { $0.begunAt < $1.begunAt }
  }

  func acknowledge(_ record: TakingRecord<OrderID>) {
    lock.lock()
    defer { lock.unlock() }
    guard let entry = entries[OrderKey(record.intent.order)] else { return }
    if entry.record.intent.key == record.intent.key && entry.record.checkpoint == record.checkpoint {
      entry.record.isDelivered = true
    }
  }

  /// `now` is the start of the newest operation, because the journal has no clock.
  private func cleanUp(at now: Duration) {
    if let limit = retention.limit(at: now) {
      entries = entries.filter { !($0.value.record.mayBeRemoved && $0.value.record.begunAt < limit) }
    }
    cleanUpCount = max(1_024, entries.count * 2)
  }
}
