internal import OrderTaking

struct TakingRow: Equatable, Sendable {
  var key: String
  var body: [UInt8]
  var change: String
  var detail: String
  /// Nanoseconds since 1970.
  var begunAt: Int64
  /// The time of the last PUT: nanoseconds since 1970, nanoseconds since the start of the machine, and the number of that start.
  var lastPut: [Int64] = []
  var isDelivered: Bool

  /// The columns after the first ones of a result, in the order of ``init(_:from:)``.
  static let columns =
    "t.key, t.body, t.change, t.detail, t.begun_at, t.put_at, t.put_uptime, t.boot, t.delivered_at IS NOT NULL"

  init?(_ row: Row, from first: Int) {
    guard let key = row.text(first), let body = row.bytes(first + 1), let change = row.text(first + 2),
      let detail = row.text(first + 3), let begunAt = row.integer(first + 4)
    else { return nil }
    self.init(
      key: key, body: body, change: change, detail: detail, begunAt: begunAt,
      lastPut: (5..<8).compactMap { row.integer(first + $0) }, isDelivered: row.flag(first + 8))
  }

  private init(
    key: String, body: [UInt8], change: String, detail: String, begunAt: Int64, lastPut: [Int64], isDelivered: Bool
  ) {
    (self.key, self.body, self.change, self.detail) = (key, body, change, detail)
    (self.begunAt, self.lastPut, self.isDelivered) = (begunAt, lastPut.count == 3 ? lastPut : [], isDelivered)
  }

  init<OrderID>(_ record: TakingRecord<OrderID>) {
    let (change, detail) = record.checkpoint.words
    self.init(
      key: record.intent.key.description, body: record.intent.body, change: change, detail: detail,
      begunAt: record.begunAt.wholeNanoseconds,
      lastPut: record.lastPutAt.map {
        [$0.sinceEpoch.wholeNanoseconds, $0.sinceBoot.wholeNanoseconds, Int64(bitPattern: $0.boot)]
      } ?? [],
      isDelivered: record.isDelivered)
  }

  var hasEnded: Bool { change.hasPrefix("ended") }

  func record<OrderID>(of order: OrderID) -> TakingRecord<OrderID>? {
    guard let key = IdempotencyKey(key), let checkpoint = TakingCheckpoint(change: change, detail: detail) else {
      return nil
    }
    var record = TakingRecord(
      intent: TakingIntent(order: order, key: key, body: body), begunAt: .nanoseconds(begunAt), checkpoint: checkpoint,
      isDelivered: isDelivered)
    if lastPut.count == 3 {
      record.lastPutAt = Moment(
        sinceEpoch: .nanoseconds(lastPut[0]), sinceBoot: .nanoseconds(lastPut[1]), boot: UInt64(bitPattern: lastPut[2]))
    }
    return record
  }
}
