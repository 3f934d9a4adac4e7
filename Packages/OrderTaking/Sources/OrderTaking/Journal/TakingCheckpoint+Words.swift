// The text of a checkpoint in a journal's table.

extension TakingCheckpoint {
  /// The text of the checkpoint: its kind, and the reason of a decline, the status of a rejection or another detail.
  package var words: (change: String, detail: String) {
    switch self {
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
      case .unknown(.journal): ("ended unknown", "journal")
      case .unknown(.fenced): ("ended unknown", "fenced")
      case .unknown(.refused(let status)): ("ended unknown", "\(status)")
      }
    }
  }

  package init?(change: String, detail: String) {
    let fixed: [TakingOutcome] = [
      .accepted(hasDetails: true), .accepted(hasDetails: false), .cancelled, .expired, .keyMismatch, .keyExpired,
      .unrecorded, .unknown(.cancelled), .unknown(.expired), .unknown(.journal), .unknown(.fenced),
    ]
    var candidates = [.begun, .acknowledged, .accepted] + fixed.map { TakingCheckpoint.ended($0) }
    candidates.append(.ended(.declined(reason: detail)))
    if let status = Int(detail) {
      candidates += [.ended(.rejected(status: status)), .ended(.unknown(.refused(status: status)))]
    }
    guard let checkpoint = candidates.first(where: { $0.words == (change, detail) }) else { return nil }
    self = checkpoint
  }
}
