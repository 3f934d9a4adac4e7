internal import OrderTaking

struct StoredRow: Equatable {
  var order: String
  var key: String
  var body: [UInt8]
  /// Nanoseconds since 1970.
  var begunAt: Int64
  var change: String
  /// The reason of a decline, or the status of a rejection.
  var detail: String
  /// The time of the last PUT: nanoseconds since 1970, nanoseconds since the start of the machine, and the number of that start.
  var lastPut: [Int64] = []

  /// Rows of earlier releases, without the time of a PUT, have the hash of the other fields.
  var checksum: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + detail.utf8.count + 256)
    // The lengths make different rows different texts.
    func append(_ field: some Collection<UInt8>) {
      bytes.append(contentsOf: "\(field.count):".utf8)
      bytes.append(contentsOf: field)
    }
    append(order.utf8)
    append(key.utf8)
    append(body)
    append("\(begunAt)".utf8)
    append(change.utf8)
    append(detail.utf8)
    for time in lastPut { append("\(time)".utf8) }
    return RequestFingerprint(of: bytes).description
  }

  var isOpen: Bool { !change.hasPrefix(Self.delivered) }

  /// Whether the record must stay: it is open, or its outcome is unknown.
  var isKept: Bool { isOpen || change == Self.delivered + "unknown" }
}

// MARK: Columns

extension StoredRow {
  static let columns = "order_id, key, body, begun_at, change, detail, put_at, put_uptime, boot, checksum"

  init?(_ values: some Collection<Database.Value>) {
    let values = Array(values)
    guard values.count == 10, case .text(let order) = values[0], case .text(let key) = values[1],
      case .blob(let body) = values[2], case .integer(let begunAt) = values[3], case .text(let change) = values[4],
      case .text(let detail) = values[5], case .text(let checksum) = values[9]
    else { return nil }
    self.init(order: order, key: key, body: body, begunAt: begunAt, change: change, detail: detail)
    for case .integer(let number) in values[6..<9] { lastPut.append(number) }
    guard lastPut.isEmpty || lastPut.count == 3, self.checksum == checksum else { return nil }
  }

  var values: [Database.Value] {
    [.text(order), .text(key), .blob(body), .integer(begunAt), .text(change), .text(detail)]
      + (lastPut.isEmpty ? [.null, .null, .null] : lastPut.map { .integer($0) }) + [.text(checksum)]
  }
}

// MARK: Records

extension StoredRow {
  init<OrderID>(_ record: TakingRecord<OrderID>, order: String) {
    self.order = order
    key = record.intent.key.description
    body = record.intent.body
    begunAt = record.begunAt.wholeNanoseconds
    (change, detail) = record.checkpoint.words
    if record.isDelivered, change.hasPrefix(Self.ended) { change = Self.delivered + change.dropFirst(Self.ended.count) }
    if let put = record.lastPutAt {
      lastPut = [put.sinceEpoch.wholeNanoseconds, put.sinceBoot.wholeNanoseconds, Int64(bitPattern: put.boot)]
    }
  }

  func record<OrderID>(order: OrderID) -> TakingRecord<OrderID>? {
    let plain = isOpen ? change : Self.ended + change.dropFirst(Self.delivered.count)
    guard let key = IdempotencyKey(key), let checkpoint = TakingCheckpoint(change: plain, detail: detail) else {
      return nil
    }
    var record = TakingRecord(
      intent: TakingIntent(order: order, key: key, body: body), begunAt: .nanoseconds(begunAt), checkpoint: checkpoint,
      isDelivered: !isOpen)
    if lastPut.count == 3 {
      record.lastPutAt = Moment(
        sinceEpoch: .nanoseconds(lastPut[0]), sinceBoot: .nanoseconds(lastPut[1]), boot: UInt64(bitPattern: lastPut[2]))
    }
    return record
  }

  private static let ended = "ended "
  /// The first word of an outcome that was delivered.
  ///
  /// The files of all versions contain it, so it stays.
  private static let delivered = "told "
}
