internal import OrderTaking

/// A record as it is stored: text, bytes and numbers.
struct StoredRow: Equatable {
  var order: String
  var key: String
  var body: [UInt8]
  /// Nanoseconds since 1970.
  var begunAt: Int64
  var change: String
  /// The reason of a decline or the status of a refusal.
  var detail: String

  /// What shows that a row is as it was written.
  var checksum: String {
    // Lengths in front, so that no two rows are written alike.
    var bytes: [UInt8] = []
    for field in [
      Array(order.utf8), Array(key.utf8), body, Array("\(begunAt)".utf8), Array(change.utf8), Array(detail.utf8),
    ] {
      bytes += Array("\(field.count):".utf8) + field
    }
    return BodyHash(of: bytes).description
  }
}

extension StoredRow {
  init<OrderID>(_ record: TakingRecord<OrderID>, order: String) {
    self.order = order
    key = record.intent.key.description
    body = record.intent.body
    let (seconds, attoseconds) = record.begunAt.components
    begunAt = seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
    (change, detail) = words(for: record.change)
    if record.isDelivered { change = Self.delivered(change) }
  }

  /// The record, or `nil` when a field says what no release has written.
  func record<OrderID>(order: OrderID) -> TakingRecord<OrderID>? {
    let isDelivered = change.hasPrefix(Self.told)
    let plain = isDelivered ? Self.ended + change.dropFirst(Self.told.count) : change
    guard let key = IdempotencyKey(key), let change = takingChange(plain, detail) else { return nil }
    return TakingRecord(
      intent: TakingIntent(order: order, key: key, body: body), begunAt: .nanoseconds(begunAt), change: change,
      isDelivered: isDelivered)
  }

  private static let ended = "ended "
  private static let told = "told "

  /// The word for an end that has been told; any other change has none.
  private static func delivered(_ change: String) -> String {
    change.hasPrefix(ended) ? told + change.dropFirst(ended.count) : change
  }
}

private func words(for change: TakingChange) -> (change: String, detail: String) {
  switch change {
  case .begun: ("begun", "")
  case .acknowledged: ("acknowledged", "")
  case .accepted: ("accepted", "")
  case .ended(let outcome):
    switch outcome {
    case .accepted(hasDetails: true): ("ended accepted", "with details")
    case .accepted(hasDetails: false): ("ended accepted", "without details")
    case .declined(let reason): ("ended declined", reason)
    case .rejected(let status): ("ended rejected", "\(status)")
    case .cancelled: ("ended cancelled", "")
    case .expired: ("ended expired", "")
    case .keyMismatch: ("ended key mismatch", "")
    case .keyExpired: ("ended key expired", "")
    case .unrecorded: ("ended unrecorded", "")
    case .unknown(.cancelled): ("ended unknown", "cancelled")
    case .unknown(.expired): ("ended unknown", "expired")
    case .unknown(.refused(let status)): ("ended unknown", "\(status)")
    }
  }
}

private func takingChange(_ change: String, _ detail: String) -> TakingChange? {
  switch change {
  case "begun": .begun
  case "acknowledged": .acknowledged
  case "accepted": .accepted
  case "ended accepted": .ended(.accepted(hasDetails: detail == "with details"))
  case "ended declined": .ended(.declined(reason: detail))
  case "ended rejected": Int(detail).map { .ended(.rejected(status: $0)) }
  case "ended cancelled": .ended(.cancelled)
  case "ended expired": .ended(.expired)
  case "ended key mismatch": .ended(.keyMismatch)
  case "ended key expired": .ended(.keyExpired)
  case "ended unrecorded": .ended(.unrecorded)
  case "ended unknown":
    switch detail {
    case "cancelled": .ended(.unknown(.cancelled))
    case "expired": .ended(.unknown(.expired))
    default: Int(detail).map { .ended(.unknown(.refused(status: $0))) }
    }
  default: nil
  }
}
