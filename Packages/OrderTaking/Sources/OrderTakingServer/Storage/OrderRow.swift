internal import OrderTaking
internal import OrderTakingDispatch
internal import OrderTakingJournal

enum OrderRow {
  static func values(_ entry: DispatchState.Entry) -> [Database.Value] {
    var verdict = Database.Value.null
    if case .decline(let reason) = entry.offer.verdict { verdict = .text(reason) }
    let offer: [Database.Value] = [
      .text(entry.offer.id), .text(entry.offer.details), verdict, .integer(entry.offer.decidedAfter.wholeNanoseconds),
    ]
    guard let taking = entry.taking else { return offer + Array(repeating: .null, count: 7) }
    let (answer, reason): (String, Database.Value) =
      switch taking.answer {
      case .accepted: ("accepted", .null)
      case .processing: ("processing", .null)
      case .declined(let reason): ("declined", .text(reason))
      }
    return offer + [
      .text(taking.driver), .text(taking.key.description), .text(taking.fingerprint.description),
      .integer(taking.begunAt.wholeNanoseconds), .text(answer), reason,
      taking.cursor.map { .integer(Int64(clamping: $0)) } ?? .null,
    ]
  }

  static func entry(_ row: [Database.Value]) -> DispatchState.Entry? {
    guard row.count == 11, case .text(let id) = row[0], case .text(let details) = row[1],
      case .integer(let decidedAfter) = row[3]
    else { return nil }
    var offer = OfferedOrder(id, details: details, decidedAfter: .nanoseconds(decidedAfter))
    if case .text(let reason) = row[2] { offer.verdict = .decline(reason: reason) }
    guard row[4] != .null else { return DispatchState.Entry(offer) }
    guard case .text(let driver) = row[4], case .text(let keyText) = row[5], let key = IdempotencyKey(keyText),
      case .text(let hashText) = row[6], let fingerprint = RequestFingerprint(hashText),
      case .integer(let begunAt) = row[7],
      let answer = answer(row[8], row[9])
    else { return nil }
    var taking = DispatchState.Taking(
      driver: driver, key: key, fingerprint: fingerprint, begunAt: .nanoseconds(begunAt), answer: answer)
    if case .integer(let cursor) = row[10] { taking.cursor = UInt64(clamping: cursor) }
    return DispatchState.Entry(offer, taking: taking)
  }

  private static func answer(_ name: Database.Value, _ reason: Database.Value) -> TakingAnswer? {
    switch (name, reason) {
    case (.text("accepted"), _): .accepted
    case (.text("processing"), _): .processing
    case (.text("declined"), .text(let reason)): .declined(reason)
    default: nil
    }
  }
}
