internal import Loopback
internal import OrderTaking

/// The state behind both channels, and what is done with it: asks the values, stores, sends.
///
/// Everything is done while the lock is held, so that what was decided first is stored, pushed and answered first. Nothing
/// that is done under it waits, but for the store.
final class OrderServerCore: Sendable {
  struct State {
    var book: OrderBook
    var desk: PushDesk
    var dice: FaultDice
    var connections: [Int: LineConnection] = [:]
    /// Lines that wait for the next one to the same connection.
    var held: [Int: [ServerLine]] = [:]
    var generation = 0
    var isRestarting = false
    var hasEnded = false
    var onRestart: @Sendable () -> Void = {}
  }

  let configuration: OrderServer.Configuration
  let timers: Timers
  let log: (@Sendable (OrderServerEvent) -> Void)?
  let state: Locked<State>
  private let store: OrderStore

  init(
    _ configuration: OrderServer.Configuration, _ store: OrderStore, _ timers: Timers,
    makeStream: @Sendable () -> String, log: (@Sendable (OrderServerEvent) -> Void)?
  ) throws(OrderStoreError) {
    self.configuration = configuration
    self.store = store
    self.timers = timers
    self.log = log
    var book = OrderBook(
      configuration.offers, credentials: configuration.credentials, keyLifetime: configuration.keyLifetime,
      pushHistory: configuration.pushHistory)
    let contents = try store.load()
    book.apply(all: contents.entries)
    let stream = contents.stream ?? makeStream()
    try store.save(book.all, stream)
    state = Locked(
      State(
        book: book, desk: PushDesk(stream: stream, silenceTimeout: configuration.silenceTimeout),
        dice: FaultDice(configuration.faults, seed: configuration.seed)))
    for (order, delay) in book.undecided { scheduleDecision(order, after: delay) }
    scheduleHeartbeat()
  }

  var book: OrderBook { state.withLock { $0.book } }

  func whenRestartIsDue(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onRestart = body } }

  // MARK: HTTP

  func answer(_ order: OrderRequest, _ request: HTTPRequest) -> HTTPReply {
    let token = request.bearerToken
    return state.withLock { state in
      let (fault, delay) = state.dice.request()
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
        if !state.isRestarting {
          state.isRestarting = true
          state.onRestart()
        }
      case .none, .answerLost, .resetAfterWork:
        let response = serve(order, token, &state)
        if fault == .none { status = response.status }
        reply = fault == .none ? .response(HTTPResponse(response)) : fault == .answerLost ? .disconnected : .reset
      }
      log?(
        .request(
          method: request.method.rawValue, path: request.path, driver: state.book.credentials.driver(of: token),
          status: status, fault: fault))
      return delay > .zero ? .delayed(by: delay, reply) : reply
    }
  }

  private func serve(_ request: OrderRequest, _ token: String?, _ state: inout State) -> OrderResponse {
    let reply = state.book.reply(to: request, token: token, at: timers.now())
    if let change = reply.change {
      guard make(change, &state) else {
        return .error(503, "storage", "Cannot take the order: storing it failed. Try again later.")
      }
    }
    if let due = reply.decisionDue, let order = reply.change?.offer.id { scheduleDecision(order, after: due) }
    if let push = reply.push { perform(state.desk.handle(.decided(push), state.book, at: timers.now()), &state) }
    return reply.response
  }

  /// Stores a change, and takes it over when that has worked.
  private func make(_ change: OrderBook.Entry, _ state: inout State) -> Bool {
    do {
      try store.save([change], state.desk.stream)
    } catch {
      log?(.storingFailed(error))
      return false
    }
    state.book.apply(change)
    return true
  }

  // MARK: Time

  private func scheduleDecision(_ order: String, after delay: Duration) {
    later(delay) { core in
      core.state.withLock { state in
        guard !state.hasEnded, let change = state.book.decide(order) else { return }
        guard core.make(change, &state) else { return core.scheduleDecision(order, after: .seconds(1)) }
        guard let push = OrderPush(change) else { return }
        core.perform(state.desk.handle(.decided(push), state.book, at: core.timers.now()), &state)
      }
    }
  }

  private func scheduleHeartbeat() {
    later(max(configuration.heartbeat, .milliseconds(1))) { core in
      let goesOn = core.state.withLock { state in
        core.perform(state.desk.handle(.tick, state.book, at: core.timers.now()), &state)
        return !state.hasEnded
      }
      if goesOn { core.scheduleHeartbeat() }
    }
  }

  /// Weakly: a timer does not keep a server that nobody has any more.
  func later(_ delay: Duration, _ body: @escaping @Sendable (OrderServerCore) -> Void) {
    _ = timers.schedule(delay) { [weak self] in
      if let self { body(self) }
    }
  }

  func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in _ = timers.schedule(duration) { continuation.resume() } }
  }
}

// MARK: Coming and going

extension OrderServerCore {
  /// Forgets what is in memory alone, and reads the rest again.
  func reload() {
    state.withLock { state in
      state.desk = PushDesk(stream: state.desk.stream, silenceTimeout: configuration.silenceTimeout)
      state.connections = [:]
      state.held = [:]
      do throws(OrderStoreError) {
        let contents = try store.load()
        var book = OrderBook(
          configuration.offers, credentials: configuration.credentials, keyLifetime: configuration.keyLifetime,
          pushHistory: configuration.pushHistory)
        book.apply(all: contents.entries)
        state.book = book
      } catch {
        // What is in memory was all stored: it is the same.
        log?(.storingFailed(error))
      }
    }
  }

  func restarted() {
    state.withLock { $0.isRestarting = false }
    log?(.restarted)
  }

  func stopping() {
    state.withLock { state in perform(state.desk.handle(.stopping, state.book, at: timers.now()), &state) }
  }

  func end() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { store.close() }
  }
}

extension OrderBook {
  /// Takes over what was stored, in the order in which it was decided.
  mutating func apply(all entries: [Entry]) {
    for entry in entries.sorted(by: { ($0.taking?.cursor ?? 0) < ($1.taking?.cursor ?? 0) }) { apply(entry) }
  }
}
