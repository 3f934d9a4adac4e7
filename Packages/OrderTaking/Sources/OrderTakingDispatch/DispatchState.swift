package import OrderTaking
package import OrderTakingClients

/// The state of a server: all orders and their drivers, as a value without sockets, disks and clocks.
///
/// The first driver that requests an order gets it, or is declined like all later ones. An order is never given twice.
/// A repeated PUT gets the current result of the first one, as long as its key is stored.
package struct DispatchState: Hashable, Sendable {
  package var tokens: DriverTokens
  /// The time for which a key is stored after its first PUT.
  ///
  /// Later PUTs with the key get 410. GET returns the result at any time.
  package var keyLifetime: Duration

  package private(set) var orders: [OrderID: ServedOrder] = [:]
  private var orderOfKey: [DriverKey: OrderID] = [:]
  /// The pushes to each driver, the oldest first.
  private var pushes: [DriverID: [Wire.Push]] = [:]

  private struct DriverKey: Hashable {
    let driver: DriverID
    let key: IdempotencyKey
  }

  /// Creates a state with orders of an earlier process, and new ones.
  ///
  /// The stored order of a name counts, and then the last offered one.
  package init(
    _ offers: [OfferedOrder] = [], tokens: DriverTokens = [:], keyLifetime: Duration = .seconds(86_400),
    stored: [ServedOrder] = []
  ) {
    (self.tokens, self.keyLifetime) = (tokens, keyLifetime)
    for offer in offers { orders[offer.id] = ServedOrder(offer) }
    for order in stored.sorted(by: { $0.taking?.cursor ?? 0 < $1.taking?.cursor ?? 0 }) { apply(order) }
  }

  package subscript(order: OrderID) -> ServedOrder? { orders[order] }

  /// Applies a change of this process or of an earlier one.
  package mutating func apply(_ order: ServedOrder) {
    orders[order.offer.id] = order
    guard let taking = order.taking else { return }
    orderOfKey[DriverKey(driver: taking.driver, key: taking.key)] = order.offer.id
    if let push = order.push, push.cursor > lastCursor(of: taking.driver) {
      pushes[taking.driver, default: []].append(push)
    }
  }

  // MARK: Pushes

  /// Returns the number of the last push to a driver, or zero before the first push.
  package func lastCursor(of driver: DriverID) -> UInt64 { pushes[driver]?.last?.cursor ?? 0 }

  /// Returns the pushes to a driver after a cursor, the oldest first.
  package func pushes(to driver: DriverID, after cursor: UInt64) -> ArraySlice<Wire.Push> {
    (pushes[driver] ?? []).drop { $0.cursor <= cursor }
  }

  // MARK: Requests

  /// Handles a request, and applies its change.
  package mutating func handle(_ request: OrderRequest, token: String?, at now: Duration) -> OrderReply {
    let reply = reply(to: request, token: token, at: now)
    if let change = reply.change { apply(change) }
    return reply
  }

  /// Returns the reaction to a request, without applying its change, so that the change can be stored first.
  package func reply(to request: OrderRequest, token: String?, at now: Duration) -> OrderReply {
    guard let driver = tokens.driver(of: token) else { return OrderReply(.unauthorized) }
    return switch request {
    case .take(let order, let key, let body): take(order, key, body, driver, now)
    case .taking(let order): OrderReply(status(of: order, for: driver))
    case .details(let order): OrderReply(details(of: order, for: driver))
    case .open(let after): OrderReply(open(after: after))
    }
  }

  private func take(
    _ order: OrderID, _ keyText: String?, _ body: [UInt8], _ driver: DriverID, _ now: Duration
  ) -> OrderReply {
    guard let key = keyText.flatMap({ IdempotencyKey($0) }) else { return OrderReply(.keyRequired) }
    if let known = orderOfKey[DriverKey(driver: driver, key: key)], let taking = self[known]?.taking {
      // Only this server's clock counts, because clocks of clients can be wrong.
      guard now - taking.begunAt <= keyLifetime else { return OrderReply(.keyExpired) }
      guard known == order, taking.body == body else { return OrderReply(.keyMismatch) }
      return OrderReply(response(to: taking))
    }
    guard let offered = self[order] else { return OrderReply(.noSuchOrder) }
    if let taking = offered.taking {
      guard case .declined = taking.answer else { return OrderReply(.declined("already_taken")) }
      return OrderReply(response(to: taking))
    }
    let decision = max(.zero, offered.offer.decidedAfter)
    var taking = ServedOrder.Taking(
      driver: driver, key: key, body: body, begunAt: now, dueAt: now + decision, answer: .processing)
    if decision == .zero { decide(&taking, offered.offer.verdict) }
    return OrderReply(response(to: taking), ServedOrder(offered.offer, taking: taking))
  }

  private func response(to taking: ServedOrder.Taking) -> OrderResponse {
    if case .declined(let reason) = taking.answer { .declined(reason) } else { OrderResponse(taking.answer) }
  }

  /// Ignores the key, so that a driver without the key can read the result.
  private func status(of order: OrderID, for driver: DriverID) -> OrderResponse {
    guard let order = self[order] else { return .noSuchOrder }
    guard let taking = order.taking, taking.driver == driver else { return .noSuchTaking }
    return OrderResponse(taking.answer)
  }

  private func details(of order: OrderID, for driver: DriverID) -> OrderResponse {
    guard let order = self[order] else { return .noSuchOrder }
    guard let taking = order.taking, taking.driver == driver, taking.answer == .accepted else { return .notYours }
    return OrderResponse(200, body: order.offer.details)
  }

  private func open(after: OrderID?) -> OrderResponse {
    struct Page: Encodable {
      let orders: [OrderID]
      let next: OrderID?
    }
    let names = orders.values.filter { $0.taking == nil }.map(\.offer.id).filter { name in
      after.map { $0 < name } ?? true
    }
    let page = Array(names.sorted().prefix(100))
    return OrderResponse(200, body: Wire.json(Page(orders: page, next: names.count > 100 ? page.last : nil)))
  }

  // MARK: Decisions that take time

  /// The orders that are being processed, each with the time until its decision, at most the time that the decision takes.
  ///
  /// The time is shorter after a restart, and does not grow if the clock was set back.
  package func undecided(at now: Duration) -> [(order: OrderID, delay: Duration)] {
    orders.values.compactMap { order in
      guard let taking = order.taking, taking.answer == .processing else { return nil }
      return (order.offer.id, min(max(.zero, taking.dueAt - now), order.offer.decidedAfter))
    }
  }

  /// Returns the decision about an order as a change to apply, or `nil` if the order is not being processed.
  package func decide(_ order: OrderID) -> ServedOrder? {
    guard var order = self[order], var taking = order.taking, taking.answer == .processing else { return nil }
    decide(&taking, order.offer.verdict)
    order.taking = taking
    return order
  }

  private func decide(_ taking: inout ServedOrder.Taking, _ verdict: OfferedOrder.Verdict) {
    switch verdict {
    case .accept: taking.answer = .accepted
    case .decline(let reason): taking.answer = .declined(reason)
    }
    taking.cursor = lastCursor(of: taking.driver) + 1
  }
}

extension ServedOrder {
  /// The push of the decision; `nil` before it.
  package var push: Wire.Push? {
    guard let taking, let cursor = taking.cursor else { return nil }
    let result: TakingResult
    switch taking.answer {
    case .processing: return nil
    case .accepted: result = .accepted
    case .declined(let reason): result = .declined(reason)
    }
    return Wire.Push(cursor: cursor, order: offer.id, key: taking.key, result: result)
  }
}
