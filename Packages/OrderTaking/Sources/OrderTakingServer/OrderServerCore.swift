internal import Dispatch
internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingDispatch

/// Runs the decisions of ``DispatchState`` and ``PushDesk`` on sockets.
///
/// `changes` runs one change at a time: decide, store, apply, push, respond. A write may wait for the disk, so it never runs under the
/// lock. Reads only take the lock.
final class OrderServerCore: Sendable {
  private struct State {
    var orders: DispatchState
    var desk: PushDesk
    var dice: FaultDice
    var connections: [Int: LineConnection] = [:]
    /// The pushes that wait for the next push to the same connection.
    var held: [Int: [String]] = [:]
    /// `nil` after the end.
    var store: OrderStore?
  }

  private let configuration: OrderServer.Configuration
  private let timers: Timers
  private let observer: Observer?
  private let epoch: String
  private let state: Locked<State>
  private let changes = DispatchQueue(label: "OrderTaking.OrderServer.changes")

  init(
    _ configuration: OrderServer.Configuration, _ store: OrderStore, _ timers: Timers, _ observer: Observer?
  ) throws {
    (self.configuration, self.timers, self.observer) = (configuration, timers, observer)
    let contents = try store.load()
    let orders = DispatchState(
      configuration.orders, tokens: configuration.tokens, keyLifetime: configuration.keyLifetime,
      stored: contents.orders)
    epoch = contents.epoch ?? UUID().uuidString
    // The orders of the configuration are stored when they are taken, so that a start is fast.
    try store.save([], epoch)
    state = Locked(
      State(
        orders: orders, desk: PushDesk(epoch: epoch, silenceTimeout: configuration.silenceTimeout),
        dice: FaultDice(configuration.faults), store: store))
  }

  func begin() {
    scheduleHeartbeat()
    for (order, delay) in state.withLock({ $0.orders.undecided(at: timers.now().sinceEpoch) }) {
      scheduleDecision(order, after: delay)
    }
  }

  var orders: [OrderID: ServedOrder] { state.withLock { $0.orders.orders } }

  func inject(_ faults: [ServerFault]) { state.withLock { $0.dice.inject(faults) } }

  func changeTokens(_ change: (inout DriverTokens) -> Void) {
    state.withLock { state in
      change(&state.orders.tokens)
      handle(.tokensChanged, &state)
    }
  }

  func sayGoodbye() { state.withLock { handle(.stopping, &$0) } }

  /// Closes the storage after all earlier changes.
  func close() async { await afterChanges { self.state.withLock { $0.store = nil } } }

  // MARK: Changes

  func offer(_ order: OfferedOrder) async throws(OrderServerError) -> Bool {
    let result: Result<Bool, any Error> = await afterChanges {
      Result {
        guard self.state.withLock({ $0.orders[order.id] }) == nil else { return false }
        try self.make(ServedOrder(order))
        return true
      }
    }
    do { return try result.get() } catch { throw OrderServerError(error, configuration.storage) }
  }

  /// Stores a change, and then applies it; call it on `changes` only.
  private func make(_ change: ServedOrder) throws {
    guard let store = state.withLock({ $0.store }) else {
      throw StorageProblem(description: "the server is closed. Start a new one.")
    }
    try store.save([change], epoch)
    state.withLock { state in
      state.orders.apply(change)
      handle(.decided(change), &state)
    }
  }

  private func afterChanges<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in changes.async { continuation.resume(returning: body()) } }
  }

  private func scheduleDecision(_ order: OrderID, after delay: Duration) {
    later(delay) { core in
      core.changes.async {
        guard let change = core.state.withLock({ $0.store == nil ? nil : $0.orders.decide(order) }) else { return }
        do { try core.make(change) } catch { core.scheduleDecision(order, after: .seconds(1)) }
      }
    }
  }

  private func scheduleHeartbeat() {
    later(max(configuration.heartbeat, .milliseconds(1))) { core in
      let isOpen = core.state.withLock { state in
        core.handle(.tick, &state)
        return state.store != nil
      }
      if isOpen { core.scheduleHeartbeat() }
    }
  }

  private func later(_ delay: Duration, _ body: @escaping @Sendable (OrderServerCore) -> Void) {
    _ = timers.schedule(delay) { [weak self] in
      if let self { body(self) }
    }
  }

  // MARK: Requests

  func reply(to order: OrderRequest?, _ request: HTTPRequest, on route: String) async -> HTTPReply {
    let begin = now
    let token = request.bearerToken
    let (fault, delay) = state.withLock { $0.dice.roll(isPush: false) }
    let response: OrderResponse? =
      switch fault {
      case .refused: nil
      case .serverError:
        .problem(500, "fault", "Cannot process the request: this is a simulated failure. Try again.")
      default: await serve(order, token)
      }
    let sent = fault == .lostResponse ? nil : response
    report(request, on: route, sent?.status, since: begin)
    guard let sent else { return fault == .refused ? .reset : .disconnected }
    let reply = HTTPReply.response(HTTPResponse(sent))
    return fault == .delayedResponse ? .delayed(by: delay, reply) : reply
  }

  var now: Duration { timers.now().sinceBoot }

  func report(_ request: HTTPRequest, on route: String, _ status: Int?, since begin: Duration) {
    guard let observer else { return }
    let driver = state.withLock { $0.orders.tokens.driver(of: request.bearerToken) }
    observer.receive(
      .request(
        ObservedRequest(
          side: .server, route: route, order: request.parameters["id"], driver: driver?.text,
          result: status.map { .status($0) } ?? .unanswered, duration: now - begin)))
  }

  private func serve(_ request: OrderRequest?, _ token: String?) async -> OrderResponse {
    guard let request else { return .invalidName }
    guard case .take(let order, _, _) = request else { return decide(request, token).response }
    return await afterChanges {
      let reply = self.decide(request, token)
      guard let change = reply.change else { return reply.response }
      do { try self.make(change) } catch {
        return .problem(503, "storage", "Cannot store the order: \(OrderStore.explanation(of: error))")
      }
      if change.taking?.answer == .processing { self.scheduleDecision(order, after: change.offer.decidedAfter) }
      return reply.response
    }
  }

  private func decide(_ request: OrderRequest, _ token: String?) -> OrderReply {
    let now = timers.now().sinceEpoch
    return state.withLock { $0.orders.reply(to: request, token: token, at: now) }
  }

  // MARK: Pushes

  var lineHandlers: LineHandlers {
    LineHandlers(
      onConnect: { [weak self] connection in
        self?.state.withLock { state in
          state.connections[connection.id] = connection
          self?.handle(.connected(connection.id), &state)
        }
        self?.observer?.receive(.connection(ObservedConnection(side: .server, .opened)))
      },
      onLine: { [weak self] connection, line in
        self?.state.withLock { self?.handle(.received(connection.id, line.bytes), &$0) }
      },
      onClose: { [weak self] connection, reason in
        self?.state.withLock { state in
          state.connections[connection.id] = nil
          state.held[connection.id] = nil
          self?.handle(.closed(connection.id), &state)
        }
        self?.observer?.receive(.connection(ObservedConnection(side: .server, .lost(reason: reason))))
      })
  }

  private func handle(_ event: PushDesk.Event, _ state: inout State) {
    for effect in state.desk.handle(event, state.orders, at: timers.now().sinceBoot) {
      switch effect {
      case .send(let id, .push(let push)): send(push, to: id, &state)
      case .send(let id, let line): state.connections[id]?.send(line.text)
      case .close(let id): state.connections[id]?.finish()
      }
    }
  }

  private func send(_ push: Wire.Push, to id: Int, _ state: inout State) {
    guard let connection = state.connections[id] else { return }
    let text = Wire.ServerLine.push(push).text
    let (fault, delay) = state.dice.roll(isPush: true)
    switch fault {
    case .lostPush: break
    case .closedPush: return connection.finish()
    case .delayedPush: _ = timers.schedule(delay) { connection.send(text) }
    case .reorderedPush:
      state.held[id, default: []].append(text)
      return later(configuration.faults.longestDelay) { core in core.state.withLock { core.release(id, &$0) } }
    case .duplicatedPush: connection.send(text + "\n" + text)
    default: connection.send(text)
    }
    release(id, &state)
  }

  private func release(_ id: Int, _ state: inout State) {
    for text in state.held.removeValue(forKey: id) ?? [] { state.connections[id]?.send(text) }
  }
}
