internal import Foundation
internal import OrderTaking
internal import OrderTakingDispatch

/// The server's real decisions, behind an adapter for servers with other rules.
struct SimulatedServer {
  private enum Rules {
    case real
    /// The server answers `already_taken` to a second PUT of an accepted order.
    case echo
    /// Each key is a separate request, so the server accepts an order once for each key of a driver.
    case manyTakings
  }

  var state = DispatchState()
  private(set) var namesKeysInPushes = true
  private var rules = Rules.real
  private var answers: [OrderResponse: Answer] = [:]
  private static let drivers = ["0", "1"]
  private static let orders = ["0", "1", "2", "3"]

  var hasManyTakings: Bool { rules == .manyTakings }

  mutating func reset(orders: Int, using random: inout SplitMix64, seed: UInt64) {
    rules = [.real, .real, .echo, .manyTakings][random.next(below: 4)]
    namesKeysInPushes = rules == .manyTakings || random.next(below: 4) > 0
    let lifetime = random.next(below: 3) == 0 ? 70 + random.next(below: 100) : 86_400
    let offers = (0..<orders).map { order in
      OfferedOrder(
        Self.orders[order], details: "0",
        verdict: random.next(below: 4) == 0 ? .decline(reason: "order_cancelled") : .accept,
        decidedAfter: random.next(below: 4) == 0 ? .zero : .seconds(1))
    }
    state = DispatchState(offers, credentials: Self.credentials, keyLifetime: .seconds(lifetime))
  }

  private static let credentials: Credentials = ["0": "0", "1": "1"]

  struct Reply {
    var answer: Answer
    var change: DispatchState.Entry?
    var decisionDue: String?
  }

  mutating func handle(_ request: Request, at now: Duration, _ details: UInt64) -> Reply {
    let driver = Self.drivers[request.device]
    var name = Self.orders[request.order]
    if rules == .manyTakings {
      if request.kind == .details {
        guard let accepted = self.name(of: request.order, acceptedFor: driver) else {
          return Reply(answer: .failure(.status(403)))
        }
        name = accepted
      } else if let key = request.key, var offer = state[name]?.offer {
        name += "/\(key.low)"
        offer.id = name
        if state[name] == nil { state.apply(DispatchState.Entry(offer)) }
        declineIfTaken(name, driver)
      }
    }
    switch request.kind {
    case .details:
      let response = state.reply(to: .details(order: name), token: driver, at: now).response
      return Reply(answer: response.status == 200 ? .details(details) : answer(response))
    case .get: return Reply(answer: answer(state.reply(to: .taking(order: name), token: driver, at: now).response))
    case .put:
      let taking = state[name]?.taking?.answer
      let isKnown = rules == .echo && (taking == .accepted || taking == .processing)
      let key = request.key?.description
      let reply = state.reply(
        to: .take(order: name, key: key, digest: nil, body: [UInt8(request.order)]), token: driver, at: now)
      var answer = answer(reply.response)
      if isKnown { answer = .failure(.status(422, declineReason: "already_taken")) }
      // Another server declines with the status 200.
      if hasManyTakings, case .failure(let error) = answer, let reason = error.declineReason {
        answer = .taking(.declined(reason))
      }
      return Reply(
        answer: answer,
        change: reply.change, decisionDue: reply.decisionDue.map { _ in name })
    }
  }

  mutating func decide(_ name: String) -> DispatchState.Entry? {
    if hasManyTakings, let driver = state[name]?.taking?.driver { declineIfTaken(name, driver) }
    return state.decide(name)
  }

  private mutating func declineIfTaken(_ name: String, _ driver: String) {
    guard var entry = state[name], let order = Int(name.prefix(1)) else { return }
    guard Self.drivers.contains(where: { $0 != driver && self.name(of: order, acceptedFor: $0) != nil }) else { return }
    entry.offer.verdict = .decline(reason: "already_taken")
    state.apply(entry)
  }

  func push(
    of entry: DispatchState.Entry
  ) -> (device: Int, order: Int, key: IdempotencyKey, result: TakingResult, cursor: UInt64)? {
    guard let push = OrderPush(entry), let digit = push.order.utf8.first, let device = Int(push.driver) else {
      return nil
    }
    return (device, Int(digit) - 48, push.key, push.result, push.cursor)
  }

  private func name(of order: Int, acceptedFor driver: String) -> String? {
    state.all.first {
      $0.taking?.driver == driver && $0.taking?.answer == .accepted && $0.offer.id.hasPrefix("\(order)/")
    }?
    .offer.id
  }

  private mutating func answer(_ response: OrderResponse) -> Answer {
    if let known = answers[response] { return known }
    struct Body: Decodable { var result: String?, reason: String?, decline_reason: String?, error: String? }
    let body = (try? JSONDecoder().decode(Body.self, from: Data(response.body.utf8))) ?? Body()
    let answer: Answer
    switch body.result {
    case "accepted": answer = .taking(.accepted)
    case "processing": answer = .taking(.processing)
    case "declined": answer = .taking(.declined(body.reason ?? ""))
    default:
      answer = .failure(
        .status(
          response.status, declineReason: body.decline_reason,
          problem: body.error.map(HTTPError.Problem.init(rawValue:))))
    }
    answers[response] = answer
    return answer
  }
}
