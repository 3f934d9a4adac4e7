public import Futures

/// The storage of operations, with one record for each order.
///
/// It is a struct of closures, so that any storage can implement it. The closures are called on any thread, must return at once, and
/// return futures that complete on any thread. The writes of one order take effect in the order of the calls, and a read sees every
/// write that was called before it.
public struct Journal<OrderID: Hashable & Sendable>: Sendable {
  /// Stores a record in place of the record of the same order.
  ///
  /// The future succeeds when the record survives the end of the process. If ``TakingCheckpoint/mustSurvivePowerFailure`` is `true`
  /// for its checkpoint, the record must then survive a power failure too. The future fails with the kind
  /// ``JournalError/Kind/unknownOutcome`` if the record may be stored, with ``JournalError/Kind/fenced`` if another process has taken
  /// over the order, and with any other kind if it is not stored.
  public var write: @Sendable (TakingRecord<OrderID>) -> Future<Void, JournalError>

  /// Returns the record of an order, or `nil`.
  ///
  /// After a write that failed with ``JournalError/Kind/unknownOutcome``, the answer must be final. A later power
  /// failure must not restore or remove the record.
  public var record: @Sendable (OrderID) -> Future<TakingRecord<OrderID>?, JournalError>

  /// Returns the records with ``TakingRecord/needsResuming``, the oldest operation first.
  ///
  /// Its cost depends on the number of these records and of those with an unknown outcome, and not on the number of all records.
  public var openRecords: @Sendable () -> Future<[TakingRecord<OrderID>], JournalError>

  /// Records that the outcome in a record was delivered.
  ///
  /// It does nothing if the journal now has another record of the order. The delivery need not survive a power failure
  /// immediately. If its record is lost, the outcome is delivered again after a restart.
  public var acknowledge: @Sendable (TakingRecord<OrderID>) -> Future<Void, JournalError>

  /// Notes that no operation of an order is under way in this process.
  ///
  /// It is called after the end of each operation, unless another operation of the order has begun. If the outcome is
  /// acknowledged, it is called after ``acknowledge``. A journal that several processes share then lets another process take
  /// the order over. Other journals do nothing.
  public var release: @Sendable (OrderID) -> Void

  public init(
    write: @escaping @Sendable (TakingRecord<OrderID>) -> Future<Void, JournalError>,
    record: @escaping @Sendable (OrderID) -> Future<TakingRecord<OrderID>?, JournalError>,
    openRecords: @escaping @Sendable () -> Future<[TakingRecord<OrderID>], JournalError>,
    acknowledge: @escaping @Sendable (TakingRecord<OrderID>) -> Future<Void, JournalError>,
    release: @escaping @Sendable (OrderID) -> Void = { _ in }
  ) {
    self.write = write
    self.record = record
    self.openRecords = openRecords
    self.acknowledge = acknowledge
    self.release = release
  }

  /// Returns an empty journal in memory.
  ///
  /// Its records are lost when the process ends. Its futures are completed when they are returned.
  public static func inMemory(retention: JournalRetention = .standard) -> Journal {
    let records = RecordsInMemory<OrderID>(retention)
    let done = Future<Void, JournalError>(value: ())
    return Journal(
      write: { record in
        records.write(record)
        return done
      },
      record: { Future(value: records.record(of: $0)) },
      openRecords: { Future(value: records.open) },
      acknowledge: { record in
        records.acknowledge(record)
        return done
      })
  }
}
