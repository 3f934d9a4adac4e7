internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingDispatch

extension Process {
  func http(of driver: DriverID) -> OrderHTTPClient<UInt64> {
    let world = world
    return OrderHTTPClient(
      take: { intent in self.request(.put, intent.order, driver) { world.take(intent, by: driver) } },
      takingOperationStatus: { intent in
        self.request(.get, intent.order, driver) {
          world.server.answer(world.server.reply(to: .taking(order: intent.order), of: driver, at: world.now).response)
        }
      },
      acceptedOrderDetails: { order in
        self.request(.details, order, driver) {
          let status = world.server.reply(to: .details(order: order), of: driver, at: world.now).response.status
          return status == 200 ? .success(SimulatedServer.details(of: order)) : .failure(.status(status))
        }
      },
      refreshToken: {
        // The machine may fall asleep while a person logs in.
        if self.isAlive, world.happens(.sleep, outOf: 8) { world.plan(within: 1) { world.sleep() } }
        return self.request(nil, "token", driver) { .success(()) }
      })
  }

  /// Sends a request, which the server handles once for each copy that arrives.
  private func request<Value: Sendable>(
    _ kind: TakingRequest.Kind?, _ order: OrderID, _ driver: DriverID, serve: @escaping () -> Result<Value, HTTPError>
  ) -> Future<Value, HTTPError> {
    guard isAlive else { return Future() }
    let (world, promise) = (world, Promise<Value, HTTPError>())
    let id = TakingID(driver: driver, order: order)
    let name = "\(self), \(id.text), \(kind.map { "\($0)" } ?? "refresh")"
    if let kind { world.check(kind, by: operation(of: id)) }
    // Only the thread of the world uses it. A response that arrives while its request is being cancelled is still received.
    nonisolated(unsafe) var late: Result<Value, HTTPError>?
    if world.happens(.lateEvent) { promise.onCancel { if self.isAlive, let late { promise.complete(late) } } }
    func answer(_ result: Result<Value, HTTPError>) {
      late = result
      world.plan(within: world.delay) {
        if self.isAlive { world.note { "\(name): \(result)" } }
        if self.isAlive { promise.complete(result) }
      }
    }
    func lose() { if world.random.next(below: 2) == 0 { answer(.failure(.connectionLost)) } }
    // Drawn once, so that a server rejects all copies of a request, or none.
    let rejections = [429, 503, 401, 404, kind == .put ? 400 : 403]
    let rejection = world.happens(.turnedAway) ? rejections[world.random.next(below: 5)] : nil
    if world.happens(.refusedConnection) {
      answer(.failure(world.random.next(below: 4) == 0 ? HTTPError(.insecure) : .notConnected))
    } else if world.losesMessage {
      lose()
    } else {
      for _ in 0...(world.happens(.duplicated) ? 1 : 0) {
        world.plan(within: world.delay, in: .server) {
          var result = rejection.map { .failure(.status($0)) } ?? serve()
          if world.happens(.failedAfterWork) { result = .failure(.status(500)) }
          world.note { "\(name) reaches the server: \(result)" }
          if world.losesMessage { lose() } else { answer(result) }
        }
      }
    }
    return promise.future
  }
}

extension World {
  var delay: Int { happens(.slow) ? 60 : 1 }

  fileprivate func take(_ intent: TakingIntent, by driver: DriverID) -> Result<TakingAnswer, HTTPError> {
    let earlier = server.state[intent.order]?.taking
    checkKey(of: intent, by: driver, after: earlier)
    let request = OrderRequest.take(order: intent.order, key: intent.key.description, body: intent.body)
    let reply = server.reply(to: request, of: driver, at: now)
    apply(reply.change)
    let isRepeated = earlier?.answer == .accepted || earlier?.answer == .processing
    if server.repeatsAsTaken, isRepeated { return .failure(.status(422, declineReason: "already_taken")) }
    return server.answer(reply.response)
  }

  /// Stores the change of a request or a decision, and plans the decision and the push that follow.
  private func apply(_ change: ServedOrder?) {
    guard let change, let taking = change.taking else { return }
    server.state.apply(change)
    let id = TakingID(driver: taking.driver, order: change.offer.id)
    if taking.answer == .processing {
      plan(within: 15, in: .server) { self.apply(self.server.state.decide(id.order)) }
    }
    guard let push = change.push else { return }
    note { "server: \(id.text), key \(taking.key.low): \(push.result)" }
    if push.result == .accepted { checks.acceptances[id] = taking.key }
    let key = server.namesKeysInPushes ? taking.key : nil
    let pushed = PushedResult(order: id.order, key: key, result: push.result)
    guard !losesMessage else { return }
    deliver(pushed, to: id.driver)
    // A push without a key must not reach another driver, who cannot recognise it as foreign.
    if happens(.duplicated) { deliver(pushed, to: key == nil ? id.driver : World.drivers[random.next(below: 2)]) }
  }

  private func deliver(_ push: PushedResult, to driver: DriverID) {
    plan(within: delay) {
      self.note { "driver \(driver): a push arrives, order \(push.order): \(push.result)" }
      for process in self.processes where process.isAlive { process.receivePush[driver]?(push) }
    }
  }
}

/// The server's real decisions; in some worlds it answers `already_taken` to a second PUT of an accepted order, or pushes without keys.
struct SimulatedServer {
  var state: DispatchState
  let orders: [OrderID]
  let namesKeysInPushes: Bool
  let repeatsAsTaken: Bool
  private var answers: [OrderResponse: Result<TakingAnswer, HTTPError>] = [:]

  init(_ random: inout SplitMix64) {
    orders = Array((["0", "1", "2", "3"] as [OrderID]).prefix(1 + random.next(below: 4)))
    repeatsAsTaken = random.next(below: 4) == 0
    namesKeysInPushes = random.next(below: 4) > 0
    let lifetime = random.next(below: 3) == 0 ? 70 + random.next(below: 100) : 86_400
    state = DispatchState(tokens: ["0": "0", "1": "1"], keyLifetime: .seconds(lifetime))
    for order in orders {
      var offer = OfferedOrder(order)
      if random.next(below: 4) == 0 { offer.verdict = .decline(reason: "order_cancelled") }
      if random.next(below: 4) > 0 { offer.decidedAfter = .seconds(1) }
      state.apply(ServedOrder(offer))
    }
  }

  static func details(of order: OrderID) -> UInt64 { 1_000 + (UInt64(order.text) ?? 0) }

  func reply(to request: OrderRequest, of driver: DriverID, at now: Int64) -> OrderReply {
    state.reply(to: request, token: driver.text, at: .nanoseconds(now))
  }

  /// Reads a response like a client, once for all equal responses.
  mutating func answer(_ response: OrderResponse) -> Result<TakingAnswer, HTTPError> {
    if let known = answers[response] { return known }
    let body = (try? JSONDecoder().decode(Wire.Body.self, from: Data(response.body.utf8))) ?? Wire.Body()
    let isDeclined = body.problem == Wire.Body.declined
    let problem = isDeclined ? nil : body.problem.map(HTTPError.Problem.init(rawValue:))
    let error = HTTPError.status(
      response.status, declineReason: isDeclined ? body.plainReason : nil, problem: problem)
    let answer = body.answer.map(Result.success) ?? .failure(error)
    answers[response] = answer
    return answer
  }
}
