internal import OrderTaking

/// Formats a journal record as one line.
enum RecordReport {
  /// An order in JSON output, with the same states in all commands.
  struct Line: Encodable {
    let order: String
    let state: String
    var key: String?
    var details: String?
    var reason: String?
  }

  static let accepted = "accepted"
  static let withoutDetails = "without details"

  /// - Parameter details: Details from the server. The journal does not store them.
  static func line(_ record: TakingRecord<String>, details: String? = nil, json: Bool) -> String {
    let key = record.intent.key.description
    guard json else {
      let words = words(record.checkpoint) + (details.map { ": \($0)" } ?? "")
      return escaped("\(record.intent.order)  \(words)  key \(key)")
    }
    let (state, reason) = state(record.checkpoint)
    return jsonLine(Line(order: record.intent.order, state: state, key: key, details: details, reason: reason))
  }

  /// The state for JSON: for a failed outcome, the name of the failure kind.
  private static func state(_ checkpoint: TakingCheckpoint) -> (String, reason: String?) {
    switch checkpoint {
    case .begun: return ("begun", nil)
    case .acknowledged: return ("processing", nil)
    case .accepted: return (accepted, "details to come")
    case .ended(let outcome):
      if let failure = OrderTakingFailure(outcome) { return (failure.kind.rawValue, failure.reason) }
      return (accepted, outcome == .accepted(hasDetails: true) ? nil : withoutDetails)
    }
  }

  private static func words(_ checkpoint: TakingCheckpoint) -> String {
    switch checkpoint {
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
