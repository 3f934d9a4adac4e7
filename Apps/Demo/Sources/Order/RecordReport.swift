internal import OrderTaking

/// What the journal knows of an order, as a line.
enum RecordReport {
  struct Line: Encodable {
    let order: String
    let state: String
    let key: String?
    let details: String?
    var reason: String?
  }

  static func line(_ record: TakingRecord<String>, json: Bool) -> String {
    let state = state(record.change)
    let key = record.intent.key.description
    return json
      ? jsonLine(Line(order: record.intent.order, state: state, key: key, details: nil))
      : OrderText.line("\(record.intent.order)  \(state)  key \(key)")
  }

  private static func state(_ change: TakingChange) -> String {
    switch change {
    case .begun: "begun"
    case .acknowledged: "processing"
    case .accepted: "accepted, details to come"
    case .ended(.accepted(true)): "accepted"
    case .ended(.accepted(false)): "accepted, without details"
    case .ended(.declined(let reason)): "declined: \(reason)"
    case .ended(.rejected(let status)): "rejected: \(status)"
    case .ended(.cancelled): "cancelled"
    case .ended(.expired): "expired"
    case .ended(.keyMismatch): "key mismatch"
    case .ended(.keyExpired): "key expired"
    case .ended(.unrecorded): "not recorded"
    case .ended(.unknown): "unknown"
    }
  }
}
