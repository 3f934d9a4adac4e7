internal import Foundation
internal import OrderTaking

public struct OrderReply: Hashable, Sendable {
  public var response: OrderResponse
  /// The new state of the order if the request changes it.
  ///
  /// Store it before the response is sent.
  public var change: DispatchState.Entry?
  public var push: OrderPush?
  /// The time until the decision, if it takes time.
  ///
  /// After it, call ``DispatchState/decide(_:)``.
  public var decisionDue: Duration?

  init(_ response: OrderResponse) { self.response = response }
}

extension DispatchState {
  /// Handles a request, and applies its change.
  public mutating func handle(_ request: OrderRequest, token: String?, at now: Duration) -> OrderReply {
    let reply = reply(to: request, token: token, at: now)
    if let change = reply.change { apply(change) }
    return reply
  }

  /// Returns the state after a request, and the reaction to it.
  public func handling(_ request: OrderRequest, token: String?, at now: Duration) -> (DispatchState, OrderReply) {
    var next = self
    let reply = next.handle(request, token: token, at: now)
    return (next, reply)
  }

  /// Returns the reaction to a request, without applying its change.
  ///
  /// So the change can be stored first.
  public func reply(to request: OrderRequest, token: String?, at now: Duration) -> OrderReply {
    let authorization: Authorization
    do throws(Credentials.Refusal) { authorization = try credentials.authorization(of: token, at: now) } catch {
      return OrderReply(OrderResponse(error))
    }
    return reply(to: request, by: authorization, at: now)
  }

  package func reply(to request: OrderRequest, by authorization: Authorization, at now: Duration) -> OrderReply {
    guard authorization.scopes.contains(request.scope) else { return OrderReply(.insufficientScope(request.scope)) }
    let driver = authorization.driver
    switch request {
    case .take(let order, let key, let digest, let body): return take(order, key, digest, body, driver, now)
    case .taking(let order): return OrderReply(status(of: order, for: driver))
    case .details(let order): return OrderReply(details(of: order, for: driver))
    case .open(let after, let limit): return OrderReply(open(after: after, limit: limit))
    }
  }

  /// Returns the decision about an order as a change to apply, or `nil` if the order is not being processed.
  public func decide(_ order: String) -> Entry? {
    guard let entry = self[order], let taking = entry.taking, taking.answer == .processing else { return nil }
    return decided(entry, taking)
  }

  /// The orders that are being processed, with the time of their decision.
  ///
  /// A restarted server starts these decisions again.
  public var undecided: [(order: String, decidedAfter: Duration)] {
    all.filter { $0.taking?.answer == .processing }.map { ($0.offer.id, $0.offer.decidedAfter) }
  }

  // MARK: Taking

  private func take(
    _ order: String, _ key: String?, _ digest: String?, _ body: [UInt8], _ driver: String, _ now: Duration
  ) -> OrderReply {
    guard let key = key.flatMap({ IdempotencyKey($0) }) else {
      return OrderReply(
        .keyRequired
      )
    }
    let fingerprint = RequestFingerprint(of: body)
    guard digest.map({ Self.digest($0, is: fingerprint) }) ?? true else {
      return OrderReply(
        .digestMismatch)
    }
    if let (known, taking) = taking(of: driver, key) {
      // Only this server's clock counts, because clocks of clients can be wrong.
      guard now - taking.begunAt <= keyLifetime else {
        return OrderReply(
          .keyExpired)
      }
      guard isSameOrder(known, order), taking.fingerprint == fingerprint else {
        return OrderReply(
          .keyMismatch)
      }
      return OrderReply(answer(taking.answer))
    }
    guard let entry = self[order] else { return OrderReply(.noSuchOrder) }
    if let taking = entry.taking {
      guard case .declined(let reason) = taking.answer else { return OrderReply(.alreadyTaken) }
      return OrderReply(.refused(reason))
    }
    return begin(
      entry, Taking(driver: driver, key: key, fingerprint: fingerprint, begunAt: now, answer: .processing))
  }

  private func begin(_ entry: Entry, _ taking: Taking) -> OrderReply {
    var entry = entry
    guard entry.offer.decidedAfter > .zero else {
      entry = decided(entry, taking)
      var reply = OrderReply(answer(entry.taking?.answer ?? .processing))
      reply.change = entry
      reply.push = OrderPush(entry)
      return reply
    }
    entry.taking = taking
    var reply = OrderReply(.processing)
    reply.change = entry
    reply.decisionDue = entry.offer.decidedAfter
    return reply
  }

  private func decided(_ entry: Entry, _ taking: Taking) -> Entry {
    var (entry, taking) = (entry, taking)
    switch entry.offer.verdict {
    case .accept: taking.answer = .accepted
    case .decline(let reason): taking.answer = .declined(reason)
    }
    taking.cursor = lastCursor(of: taking.driver) + 1
    entry.taking = taking
    return entry
  }

  private func answer(_ answer: TakingAnswer) -> OrderResponse {
    switch answer {
    case .accepted: .accepted
    case .processing: .processing
    case .declined(let reason): .refused(reason)
    }
  }

  private static func digest(_ header: String, is hash: RequestFingerprint) -> Bool {
    header == "sha-256=:\(hash.base64):"
  }

  // MARK: Reading

  /// Ignores the key, so that a driver without the key can read the result.
  private func status(of order: String, for driver: String) -> OrderResponse {
    guard let entry = self[order] else { return .noSuchOrder }
    guard let taking = entry.taking, taking.driver == driver else {
      return .noSuchTaking
    }
    if case .declined(let reason) = taking.answer { return .declined(reason) }
    return answer(taking.answer)
  }

  private func details(of order: String, for driver: String) -> OrderResponse {
    guard let entry = self[order] else { return .noSuchOrder }
    guard let taking = entry.taking, taking.driver == driver, taking.answer == .accepted else {
      return .notYours
    }
    return OrderResponse(200, body: entry.offer.details)
  }

  private func open(after: String?, limit: Int) -> OrderResponse {
    guard limit > 0 else {
      return .invalidLimit
    }
    struct Page: Encodable {
      let orders: [String]
      let next: String?
    }
    let names = entries.values.lazy.filter { $0.taking == nil }.map(\.offer.id).filter { name in
      after.map { $0.precedes(name) } ?? true
    }
    let count = min(limit, 100)
    let page = Array(names.sorted { $0.precedes($1) }.prefix(count + 1))
    return OrderResponse(
      200,
      body: JSONText.of(Page(orders: Array(page.prefix(count)), next: page.count > count ? page[count - 1] : nil)))
  }

}

// The responses that do not depend on the request. Each is encoded once.
extension OrderResponse {
  package init(_ refusal: Credentials.Refusal) {
    switch refusal {
    case .unknown: self = .unauthorized
    case .expired: self = .tokenExpired
    }
  }

  private static let unauthorized = error(
    401, "unauthorized", "Cannot authenticate: the token is missing or unknown. Send Authorization: Bearer TOKEN.")
  private static let tokenExpired = error(
    401, "token_expired", "Cannot authenticate: the token has expired. Get a new token.")

  package static func insufficientScope(_ scope: Authorization.Scope) -> OrderResponse {
    error(
      403, "insufficient_scope",
      "Cannot process the request: the token does not have the scope \(scope.rawValue). Use a token that has it.")
  }

  package static func rateLimited(retryAfter: Duration) -> OrderResponse {
    var response = error(
      429, "rate_limited", "Cannot process the request: too many requests arrived. Wait for the time in Retry-After.")
    response.retryAfter = retryAfter
    return response
  }

  fileprivate static let keyRequired = error(
    400, "idempotency_key_required",
    "Cannot take the order: Idempotency-Key is missing or invalid. Send 32 hexadecimal digits, new for each intent.")
  fileprivate static let digestMismatch = error(
    400, "digest_mismatch",
    "Cannot take the order: Content-Digest is not sha-256=:…: of the received body. Send the request again.")
  fileprivate static let keyExpired = error(
    410, "idempotency_key_expired",
    "Cannot take the order: the idempotency key has expired. Send GET to read the outcome.")
  fileprivate static let keyMismatch = error(
    422, "idempotency_key_mismatch",
    "Cannot take the order: the idempotency key was used with another order or body. Use a new key.")
  fileprivate static let noSuchTaking = error(
    404, "no_such_taking",
    "Cannot find a request of yours: you sent none, or another driver has the order. Send PUT to take it.")
  fileprivate static let notYours = error(
    403, "not_yours", "Cannot show the order: you have not taken it. Take it first.")
  fileprivate static let invalidLimit = error(
    400, "invalid_limit", "Cannot list the orders: the limit is not a positive number. Use 1 to 100.")
  fileprivate static let noSuchOrder = error(
    404, "no_such_order", "Cannot find the order: no order has this name. Send GET /orders to list the open orders.")
  fileprivate static let alreadyTaken = refused("already_taken")
}

extension RequestFingerprint {
  /// The hash in the form of `Content-Digest` (RFC 9530).
  fileprivate var base64: String {
    var bytes = Data()
    var rest = description[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes.base64EncodedString()
  }
}
