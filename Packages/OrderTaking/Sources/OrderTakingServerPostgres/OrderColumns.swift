internal import OrderTaking
internal import OrderTakingDispatch
internal import OrderTakingPostgres

extension DispatchState.Entry {
  init?(_ row: Row) {
    guard let id = row.text(0), let details = row.text(1), let decidedAfter = row.integer(3) else { return nil }
    var offer = OfferedOrder(id, details: details, decidedAfter: .nanoseconds(decidedAfter))
    if let reason = row.text(2) { offer.verdict = .decline(reason: reason) }
    guard let driver = row.text(4) else {
      self.init(offer)
      return
    }
    guard let key = row.text(5).flatMap({ IdempotencyKey($0) }),
      let hash = row.text(6).flatMap({ RequestFingerprint($0) }),
      let begunAt = row.integer(7), let answer = TakingAnswer(row.text(8), reason: row.text(9))
    else { return nil }
    self.init(
      offer,
      taking: DispatchState.Taking(
        driver: driver, key: key, fingerprint: hash, begunAt: .nanoseconds(begunAt), answer: answer,
        cursor: row.integer(10).map { UInt64(clamping: $0) }))
  }

  var parameters: [Parameter]? {
    guard let taking else { return nil }
    let (answer, reason) = taking.answer.words
    let isLaterDecision = offer.decidedAfter > .zero && taking.answer != .processing
    return [
      .text(offer.id), .text(taking.driver), .text(taking.key.description), .text(taking.fingerprint.description),
      .integer(taking.begunAt.wholeNanoseconds), .text(answer), .text(reason), .flag(isLaterDecision),
    ]
  }
}

extension TakingAnswer {
  fileprivate var words: (answer: String, reason: String) {
    switch self {
    case .accepted: ("accepted", "")
    case .processing: ("processing", "")
    case .declined(let reason): ("declined", reason)
    }
  }

  fileprivate init?(_ answer: String?, reason: String?) {
    switch (answer, reason) {
    case ("accepted", _): self = .accepted
    case ("processing", _): self = .processing
    case ("declined", let reason?): self = .declined(reason)
    default: return nil
    }
  }
}
