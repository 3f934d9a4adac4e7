internal import Loopback
internal import OrderTaking
internal import OrderTakingDispatch

struct ReceivedRequest: Sendable {
  let request: HTTPRequest
  let route: String
  let at: Moment
  let sender: Result<Authorization, Credentials.Refusal>

  var authorization: Authorization? { try? sender.get() }
}

extension OrderServerCore {
  /// The address of every client, because the server listens only on it.
  static let clientAddress = "127.0.0.1"

  func received(_ request: HTTPRequest, on route: String) -> ReceivedRequest {
    let now = timers.now()
    let sender = Result { () throws(Credentials.Refusal) in
      try configuration.credentials.authorization(of: request.bearerToken, at: now.sinceEpoch)
    }
    return ReceivedRequest(request: request, route: route, at: now, sender: sender)
  }

  func change(_ order: OrderRequest, _ received: ReceivedRequest) async -> HTTPReply {
    if let refusal = refusal(of: received) { return refusal }
    return await answer(order, received) {
      if let shared = self.shared { return await self.serve(order, received, in: shared) }
      return await self.afterChanges { self.serve(order, received) }
    }
  }

  func read(_ order: OrderRequest, _ received: ReceivedRequest) async -> HTTPReply {
    if let refusal = refusal(of: received) { return refusal }
    return await answer(order, received) {
      if let shared = self.shared { return await self.serve(order, received, in: shared) }
      return self.serve(order, received)
    }
  }

  func readMetrics(_ received: ReceivedRequest) async -> HTTPReply {
    if let refusal = refusal(of: received) { return refusal }
    let response: HTTPResponse
    switch received.sender {
    case .failure(let refusal): response = HTTPResponse(OrderResponse(refusal))
    case .success(let sender):
      response =
        sender.scopes.contains(.readMetrics) ? await metricsResponse() : HTTPResponse(.insufficientScope(.readMetrics))
    }
    finish(received, response.status.code)
    return .response(response)
  }

  private func metricsResponse() async -> HTTPResponse {
    var (open, connections): (Int?, Int) = state.withLock { ($0.orders.openCount, $0.desk.count) }
    // The memory of a server with a shared store does not contain all orders. If the store fails, the gauge is absent.
    if let shared { open = try? await shared.openCount() }
    let openOrders = open.map {
      """
      # HELP order_taking_open_orders Orders that no driver has requested.
      # TYPE order_taking_open_orders gauge
      order_taking_open_orders \($0)

      """
    }
    let pushConnections = """
      # HELP order_taking_push_connections Open push connections.
      # TYPE order_taking_push_connections gauge
      order_taking_push_connections \(connections)

      """
    var response = HTTPResponse.text(metrics.text + (openOrders ?? "") + pushConnections)
    response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
    return response
  }

  /// Returns the response to a request beyond a rate limit, or with a repeated field, or else `nil`.
  ///
  /// It comes right after the look-up of the token, so that a flood of requests costs little and does not fill the
  /// audit log.
  func refusal(of received: ReceivedRequest) -> HTTPReply? {
    let wait = state.withLock { state in
      state.limits.admit(
        address: OrderServerCore.clientAddress, token: received.authorization?.tokenID, at: received.at.sinceBoot)
    }
    let response: OrderResponse
    if let wait {
      response = .rateLimited(retryAfter: wait)
    } else if let field = received.request.repeatedField {
      response = .error(
        400, "repeated_field", "Cannot process the request: \(field) is repeated. Send it once.")
    } else {
      return nil
    }
    finish(received, response.status)
    return .response(HTTPResponse(response))
  }

  private func answer(
    _ order: OrderRequest, _ received: ReceivedRequest, _ serve: () async -> OrderResponse
  ) async -> HTTPReply {
    let (fault, delay) = state.withLock { $0.dice.request() }
    let reply: HTTPReply
    var status: Int?
    switch fault {
    case .status(let code):
      status = code
      reply = .response(
        HTTPResponse(.error(code, "fault", "Cannot process the request: this is a simulated failure. Try again.")))
    case .reset: reply = .reset
    case .restart:
      reply = .reset
      state.withLock { state in
        guard !state.isRestarting else { return }
        state.isRestarting = true
        state.onRestart()
      }
    case .none, .answerLost, .resetAfterWork:
      let response = await serve()
      if fault == .none { status = response.status }
      reply = fault == .none ? .response(HTTPResponse(response)) : fault == .answerLost ? .disconnected : .reset
    }
    finish(received, status, fault)
    return delay > .zero ? .delayed(by: delay, reply) : reply
  }

  /// Call it on `changes` if the request can change an order, otherwise on any thread.
  private func serve(_ request: OrderRequest, _ received: ReceivedRequest) -> OrderResponse {
    let sender: Authorization
    switch received.sender {
    case .success(let authorization): sender = authorization
    case .failure(let refusal): return recorded(OrderResponse(refusal), request, received)
    }
    let reply = state.withLock { $0.orders.reply(to: request, by: sender, at: timers.now().sinceEpoch) }
    guard let change = reply.change else { return recorded(reply.response, request, received) }
    guard make(change, recording: AuditEntry(request, received, reply.response)) else {
      return recorded(
        .error(503, "storage", "Cannot take the order: storing it failed. Try again later."), request, received)
    }
    if let due = reply.decisionDue { scheduleDecision(change.offer.id, after: due) }
    return reply.response
  }

  func recorded(_ response: OrderResponse, _ request: OrderRequest, _ received: ReceivedRequest)
    -> OrderResponse
  {
    if let entry = AuditEntry(request, received, response) { record(entry) }
    return response
  }

  func finish(_ received: ReceivedRequest, _ status: Int?, _ fault: ServerFaults.RequestFault = .none) {
    let (request, driver) = (received.request, received.authorization?.driver)
    report(
      .request(method: request.method.rawValue, path: request.path, driver: driver, status: status, fault: fault))
    observer.requestEnded(
      ObservedRequest(
        side: .server, route: received.route, order: request.parameters["id"], driver: driver,
        result: status.map { .status($0) } ?? .unanswered, duration: timers.now().sinceBoot - received.at.sinceBoot))
  }
}

extension AuditEntry {
  /// The name of the order is shortened, and an invalid key is left out, to limit the size of an entry.
  fileprivate init?(_ request: OrderRequest, _ received: ReceivedRequest, _ response: OrderResponse) {
    guard case .take(let order, let key, _, _) = request else { return nil }
    var sender = received.authorization
    if case .failure(.expired(let authorization)) = received.sender { sender = authorization }
    self.init(
      at: received.at.sinceEpoch, order: String(String.UnicodeScalarView(order.unicodeScalars.prefix(200))),
      result: response.result, status: response.status, driver: sender?.driver, tokenID: sender?.tokenID,
      key: key.flatMap { IdempotencyKey($0) }?.description, address: OrderServerCore.clientAddress)
  }

  init(decided entry: DispatchState.Entry, at now: Duration) {
    let result =
      switch entry.taking?.answer {
      case .accepted: "accepted"
      case .declined: "declined"
      case .processing, nil: "processing"
      }
    self.init(
      at: now, order: entry.offer.id, result: result, driver: entry.taking?.driver, key: entry.taking?.key.description)
  }
}
