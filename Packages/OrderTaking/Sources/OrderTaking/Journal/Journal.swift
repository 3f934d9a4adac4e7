/// Where the state of operations survives the process: one record for each order.
///
/// A struct of closures, so that any storage fits. Calls come from any thread, one at a time for each order.
public struct Journal<OrderID: Hashable & Sendable>: Sendable {
  /// Makes a record safe before it returns: it replaces the one of the same order.
  ///
  /// It is called before the effect that the record guards, on the thread that performs the effects.
  public var write: @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void

  /// The record of an order, or `nil` when there is none.
  public var record: @Sendable (OrderID) throws(JournalError) -> TakingRecord<OrderID>?

  /// All records, in the order in which their operations were begun.
  public var records: @Sendable () throws(JournalError) -> [TakingRecord<OrderID>]

  /// Removes the record of an order; does nothing when there is none.
  public var forget: @Sendable (OrderID) throws(JournalError) -> Void

  /// Creates a journal from what it does.
  public init(
    write: @escaping @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void,
    record: @escaping @Sendable (OrderID) throws(JournalError) -> TakingRecord<OrderID>?,
    records: @escaping @Sendable () throws(JournalError) -> [TakingRecord<OrderID>],
    forget: @escaping @Sendable (OrderID) throws(JournalError) -> Void
  ) {
    self.write = write
    self.record = record
    self.records = records
    self.forget = forget
  }

  /// A journal in memory, which is lost with the process.
  ///
  /// Each call makes an empty one. Two takers that share it see the same records.
  public static func inMemory() -> Journal {
    let records = Locked<[OrderID: TakingRecord<OrderID>]>([:])
    return Journal(
      write: { record in records.withLock { $0[record.intent.order] = record } },
      record: { order in records.withLock { $0[order] } },
      records: { records.withLock { $0.values.sorted { $0.begunAt < $1.begunAt } } },
      forget: { order in _ = records.withLock { $0.removeValue(forKey: order) } })
  }
}
