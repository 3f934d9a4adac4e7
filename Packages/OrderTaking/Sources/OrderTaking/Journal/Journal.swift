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

  /// Notes that those who waited have been told of the end in a record; does nothing when the journal holds another one
  /// of the order by now.
  ///
  /// It guards nothing, and may be made safe later: an end of which this is lost is told once more after a restart. It is
  /// called where futures complete, on the main thread perhaps, so it should not wait for a disk.
  public var noteDelivery: @Sendable (TakingRecord<OrderID>) throws(JournalError) -> Void

  /// Removes the record of an order; does nothing when there is none.
  public var forget: @Sendable (OrderID) throws(JournalError) -> Void

  /// Creates a journal from what it does.
  ///
  /// - Parameters:
  ///   - write: Makes a record safe.
  ///   - record: Finds the record of an order.
  ///   - records: All records.
  ///   - noteDelivery: Sets ``TakingRecord/isDelivered`` in a record that is still as it is given.
  ///   - forget: Removes a record.
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

  /// A journal in memory, which is lost with the process.
  ///
  /// Each call makes an empty one. Two takers that share it see the same records.
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
