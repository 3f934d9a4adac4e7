/// The storage of operations, with one record for each order.
///
/// It is a struct of closures, so that any storage can implement it. The closures are called on any thread, one at a time for each
/// order.
public struct Journal<OrderID: Hashable & Sendable>: Sendable {
  /// Stores a record permanently before it returns, in place of the record of the same order.
  ///
  /// It is called before the effect that depends on the record, on the thread that performs the effects.
  public var write: @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void

  /// Returns the record of an order, or `nil`.
  public var record: @Sendable (OrderID) throws(JournalError) -> TakingRecord<OrderID>?

  /// Returns all records, the oldest operation first.
  public var records: @Sendable () throws(JournalError) -> [TakingRecord<OrderID>]

  /// Records that the outcome in a record was delivered.
  ///
  /// It does nothing if the journal now has another record of the order.
  ///
  /// It may be stored permanently later. If it is lost, the outcome is delivered again after a restart. It is called in the context
  /// in which futures complete, for example on the main thread, so it should not wait for a disk.
  public var noteDelivery: @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void

  /// Removes the record of an order, if there is one.
  public var forget: @Sendable (OrderID) throws(JournalError) -> Void

  /// Creates a journal from closures.
  ///
  /// - Parameters:
  ///   - write: A function that stores a record permanently.
  ///   - record: A function that returns the record of an order.
  ///   - records: A function that returns all records.
  ///   - noteDelivery: A function that sets ``TakingRecord/isDelivered`` in a record that has not changed.
  ///   - forget: A function that removes a record.
  public init(
    write: @escaping @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void,
    record: @escaping @Sendable (OrderID) throws(JournalError) -> TakingRecord<OrderID>?,
    records: @escaping @Sendable () throws(JournalError) -> [TakingRecord<OrderID>],
    noteDelivery: @escaping @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void,
    forget: @escaping @Sendable (OrderID) throws(JournalError) -> Void
  ) {
    self.write = write
    self.record = record
    self.records = records
    self.noteDelivery = noteDelivery
    self.forget = forget
  }

  /// Returns an empty journal in memory.
  ///
  /// Its records are lost when the process ends.
  public static func inMemory() -> Journal {
    let records = RecordsInMemory<OrderID>()
    return Journal(
      write: { records.write($0) },
      record: { records.record(of: $0) },
      records: { records.all },
      noteDelivery: { records.noteDelivery($0) },
      forget: { records.forget($0) })
  }
}
