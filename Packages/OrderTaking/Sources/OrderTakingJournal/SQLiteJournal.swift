internal import Dispatch
public import OrderTaking

/// A journal in an SQLite file, which keeps its records when the process or the machine stops.
///
/// ```swift
/// let journal = try SQLiteJournal<String>(at: "takings.sqlite")
/// if let recovery = journal.recovery { print(recovery) }
/// let taker = OrderTaker(httpClient: http, journal: journal.journal)
/// try taker.resume()
/// ```
///
/// **Safety.** A write returns when it is on the disk: it is one transaction with a write-ahead log and `synchronous=FULL`, and with
/// `fullfsync` on Apple's platforms. Each record has a checksum. If the file or its write-ahead log is damaged, the file is moved
/// aside, and the readable records are copied into a new one. Loss is not detected if the write-ahead log was deleted, or cut off
/// between two writes.
///
/// **One process.** The file is locked until ``close()``, the release of the journal, or the end of the process. So two processes
/// never work on the same order. The lock is a file beside the journal, whose name ends in `.lock`.
///
/// **Content.** For each order, the journal contains the idempotency key, the body of its PUT and its last step. It contains no token
/// and no details. Only the owner can read the files of a new journal. Bodies are not encrypted, so do not put secrets into them.
///
/// **Cost.** A write waits for the disk. The note of a delivery does not: a queue writes it soon, and if a power failure loses it,
/// the outcome is delivered again. Records stay until they are forgotten. The time to find one is logarithmic in their number.
public final class SQLiteJournal<OrderID: Hashable & Sendable>: Sendable {
  /// The report of the recovery if the file was damaged, otherwise `nil`.
  public let recovery: JournalRecovery?

  private let storage: Locked<JournalStorage?>
  /// The deliveries that the queue has not written yet.
  private let delivered = Locked<[(old: StoredRow, new: StoredRow)]>([])
  private let queue = DispatchQueue(label: "OrderTakingJournal.deliveries")
  private let path: String
  private let encode: @Sendable (OrderID) -> String
  private let decode: @Sendable (String) -> OrderID?

  /// Opens a journal, and creates the file if it is missing.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its folder must exist. An open journal has up to three more files in this folder.
  ///   - encode: A function that returns a unique text for an order.
  ///   - decode: A function that returns the order of such a text, or `nil` for any other text.
  /// - Throws: `JournalError` of kind `inUse` if the journal is already open, `tooNew` if a later version wrote it, `foreign` if the
  ///   file is not a journal (it is not changed), and `storage` if the file cannot be read or written. A damaged journal is
  ///   repaired without an error; see ``recovery``.
  public init(
    at path: String, encode: @escaping @Sendable (OrderID) -> String,
    decode: @escaping @Sendable (String) -> OrderID?
  ) throws(JournalError) {
    let (storage, recovery) = try JournalStorage.open(at: path)
    self.storage = Locked(storage)
    self.recovery = recovery
    self.path = path
    self.encode = encode
    self.decode = decode
  }

  /// Assigns the journal to a server: the first call records the server, and later calls compare it.
  ///
  /// Another server can have an order of the same name. Its responses would be wrong for the orders in this journal.
  ///
  /// ```swift
  /// try journal.assign(toServer: "https://dispatch.example")
  /// ```
  ///
  /// - Parameter server: The name of the server, usually its address, without secrets. A journal of an earlier version, or one that
  ///   lost the name by damage, accepts the first name.
  /// - Throws: `JournalError` of kind `otherServer` if the journal is assigned to another server, or the errors of a write.
  public func assign(toServer server: String) throws(JournalError) {
    let known = try use { storage throws(JournalError) in
      try storage.note(server: server)
      return try storage.server()
    }
    guard let known, !known.utf8.elementsEqual(server.utf8) else { return }
    throw JournalError(
      .otherServer,
      "Cannot use the journal \(path): it holds orders of \(known), not of \(server). Use that server, or another journal."
    )
  }

  /// The journal to pass to an `OrderTaker`.
  public var journal: Journal<OrderID> {
    Journal(
      write: { record throws(JournalError) in
        let row = StoredRow(record, order: self.encode(record.intent.order))
        try self.use { storage throws(JournalError) in try storage.write(row) }
      },
      record: { order throws(JournalError) in
        try self.use { storage throws(JournalError) in try storage.row(of: self.encode(order)) }
          .map { row throws(JournalError) in try self.record(row) }
      },
      records: { () throws(JournalError) in
        var records: [TakingRecord<OrderID>] = []
        for row in try self.use({ storage throws(JournalError) in try storage.rows() }) {
          records.append(try self.record(row))
        }
        return records
      },
      noteDelivery: { record throws(JournalError) in self.noteDelivery(record) },
      forget: { order throws(JournalError) in
        try self.use { storage throws(JournalError) in try storage.forget(self.encode(order)) }
      })
  }

  /// Closes the file, so that it can be opened again.
  ///
  /// A second call does nothing.
  ///
  /// Later calls of ``journal`` throw an error.
  public func close() {
    storage.withLock { storage in
      if let open = storage { try? writeDeliveries(open) }
      storage = nil
    }
  }

  deinit { close() }

  private func noteDelivery(_ record: TakingRecord<OrderID>) {
    var noted = record
    noted.isDelivered = true
    let order = encode(record.intent.order)
    let (old, new) = (StoredRow(record, order: order), StoredRow(noted, order: order))
    let isFirst = delivered.withLock { delivered in
      delivered.append((old, new))
      return delivered.count == 1
    }
    // With what else there is to note by then; whatever uses the journal before does it first.
    if isFirst { queue.async { [weak self] in try? self?.use { _ in } } }
  }

  private func writeDeliveries(_ storage: JournalStorage) throws(JournalError) {
    let pairs = delivered.withLock { delivered in
      defer { delivered = [] }
      return delivered
    }
    if !pairs.isEmpty { try storage.replace(pairs) }
  }

  private func use<Value>(
    _ body: (JournalStorage) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    try storage.withLock { storage throws(JournalError) in
      guard let storage else {
        throw JournalError(.storage, "Cannot use the journal \(self.path): it is closed. Open it again.")
      }
      // What cannot be noted is delivered once more after a restart, and that is all: it must not stop what is to be done.
      try? self.writeDeliveries(storage)
      return try body(storage)
    }
  }

  private func record(_ row: StoredRow) throws(JournalError) -> TakingRecord<OrderID> {
    guard let order = decode(row.order), let record = row.record(order: order) else {
      throw JournalError(
        .damaged,
        "Cannot read the journal \(path): the record of order \"\(row.order)\" cannot be decoded. Open the journal with the "
          + "functions that wrote it.")
    }
    return record
  }
}

extension SQLiteJournal where OrderID: LosslessStringConvertible {
  /// Opens a journal that stores orders as their description.
  ///
  /// - Throws: The errors of `init(at:encode:decode:)`.
  public convenience init(at path: String) throws(JournalError) {
    try self.init(at: path, encode: { $0.description }, decode: { OrderID($0) })
  }
}

extension Optional {
  /// Like `map`, with a typed error.
  fileprivate func map<Value, Failure: Error>(
    _ transform: (Wrapped) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let self else { return nil }
    return try transform(self)
  }
}
