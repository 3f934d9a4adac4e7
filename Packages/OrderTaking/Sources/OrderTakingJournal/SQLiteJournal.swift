internal import Dispatch
public import OrderTaking

/// A journal in an SQLite file, which survives the process and the machine.
///
/// ```swift
/// let journal = try SQLiteJournal<String>(at: "takings.sqlite")
/// if let recovery = journal.recovery { print(recovery) }
/// let taker = OrderTaker(httpClient: http, journal: journal.journal)
/// try taker.resume()
/// ```
///
/// **Safety.** A write returns when it is on the disk: write-ahead log, `synchronous=FULL`, one transaction for each.
/// Every record has a checksum. A damaged file is put aside, never deleted, and what can be read of it goes on. So is one
/// whose write-ahead log is damaged; a log that somebody has deleted, or cut off between two writes, cannot be told from one
/// of which less was written.
///
/// **One process.** The file is locked from the opening to ``close()``, to the last reference, or to the end of the process,
/// by whatever it ends. So two processes never drive one order. The lock is a file beside it, whose name ends in `.lock`.
///
/// **What is in it.** For each order the idempotency key, the body of its PUT, and how far it has come: no token, no
/// details. A body is stored as it is; do not put secrets into it.
///
/// **Cost.** A write waits for the disk; the note that an end was told does not: it is written soon, on a queue of the
/// journal's, and what a machine loses of it when its power fails is told once more. Records stay until they are forgotten; finding one costs the logarithm of
/// their number.
public final class SQLiteJournal<OrderID: Hashable & Sendable>: Sendable {
  /// What had to be salvaged when the file was opened, or `nil` when it was whole.
  public let recovery: JournalRecovery?

  private let storage: Locked<JournalStorage?>
  /// What was delivered and is not noted yet, so that whoever delivers waits for no disk.
  private let delivered = Locked<[(old: StoredRow, new: StoredRow)]>([])
  private let queue = DispatchQueue(label: "OrderTakingJournal.deliveries")
  private let path: String
  private let encode: @Sendable (OrderID) -> String
  private let decode: @Sendable (String) -> OrderID?

  /// Opens a journal, and makes the file when there is none.
  ///
  /// - Parameters:
  ///   - path: Where the file is. Its directory must exist. Three more files are kept beside it while it is open.
  ///   - encode: Writes an order's identity; different orders must not be written alike.
  ///   - decode: Reads what `encode` has written; `nil` for anything else.
  /// - Throws: `JournalError` of kind `inUse` when it is open already, in this process or another one, `tooNew` when a later
  ///   release has written it, `foreign` when it is another database, or a file in which nothing shows that it was a journal,
  ///   which is left as it is, and `storage` when the file cannot be read or written. A damaged journal is no error.
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

  /// Says which server the orders in the journal are of: noted the first time, and looked at ever after.
  ///
  /// An order's name alone does not say whose it is. A wish that goes to another server, which may have an order of the same
  /// name, is not the wish that the journal remembers, and what that server knows of it is no word about the first one.
  ///
  /// ```swift
  /// try journal.assign(toServer: "https://dispatch.example")
  /// ```
  ///
  /// - Parameter server: What names the server, the same each time and without secrets: its address as a rule. A journal of
  ///   an earlier release, and one whose damage hid the name, takes the first one that is given.
  /// - Throws: `JournalError` of kind `otherServer` when the journal is assigned to another one; otherwise as any use of it.
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

  /// The journal to hand to a taker.
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

  /// Closes the file, and lets others have it; calling it again does nothing.
  ///
  /// Whatever uses ``journal`` afterwards gets an error.
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
  /// Opens a journal of orders that are written as their description.
  ///
  /// - Throws: As `init(at:encode:decode:)`.
  public convenience init(at path: String) throws(JournalError) {
    try self.init(at: path, encode: { $0.description }, decode: { OrderID($0) })
  }
}

extension Optional {
  /// As the library's `map`, with a typed error.
  fileprivate func map<Value, Failure: Error>(
    _ transform: (Wrapped) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let self else { return nil }
    return try transform(self)
  }
}
