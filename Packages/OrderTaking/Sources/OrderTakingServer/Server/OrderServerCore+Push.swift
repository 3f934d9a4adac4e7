internal import Loopback
internal import OrderTaking
internal import OrderTakingDispatch

extension OrderServerCore {
  /// Connections of different listeners have different numbers.
  func beginGeneration() -> LineHandlers {
    let generation = state.withLock { state in
      state.generation += 1
      return state.generation << 32
    }
    return LineHandlers(
      onConnect: { [weak self] connection in
        self?.receive(.connected(generation | connection.id), connection)
        self?.report(.pushConnected(connection: connection.id))
        self?.observer.connectionChanged(ObservedConnection(side: .server, .opened))
      },
      onLine: { [weak self] connection, line in
        self?.receive(.received(generation | connection.id, line.bytes), connection)
      },
      onClose: { [weak self] connection, reason in
        self?.receive(.closed(generation | connection.id), connection, "\(reason)")
      })
  }

  private func receive(_ event: PushDesk.Event, _ connection: LineConnection, _ reason: String = "") {
    let handle = { @Sendable (core: OrderServerCore) in
      if case .closed(let id) = event { core.closed(id, connection, reason) } else { core.received(event, connection) }
    }
    if let shared { self.handle(event, in: shared, handle) } else { handle(self) }
  }

  private func received(_ event: PushDesk.Event, _ connection: LineConnection) {
    state.withLock { state in
      if case .connected(let id) = event { state.connections[id] = connection }
      let now = timers.now()
      var effects = state.desk.handle(event, state.orders, at: now)
      // After the event, so that the first line counts for its token too. Lines without effects are heartbeats and count as well.
      if case .received(let id, _) = event {
        let token = state.desk.tokenID(of: id)
        if state.limits.admit(address: Self.clientAddress, token: token, at: now.sinceBoot) != nil {
          effects = state.desk.handle(.limited(id), state.orders, at: now)
        }
      }
      perform(effects, &state)
    }
  }

  private func closed(_ id: Int, _ connection: LineConnection, _ reason: String) {
    let driver = state.withLock { state in
      let driver = state.desk.driver(of: id)
      state.connections[id] = nil
      state.held[id] = nil
      perform(state.desk.handle(.closed(id), state.orders, at: timers.now()), &state)
      return driver
    }
    report(.pushClosed(connection: connection.id, driver: driver, reason: reason))
    observer.connectionChanged(ObservedConnection(side: .server, .lost(reason: reason)))
  }

  func perform(_ effects: [PushDesk.Effect], _ state: inout State) {
    for effect in effects {
      switch effect {
      case .send(let id, .push(let push)): send(push, to: id, &state)
      case .send(let id, let line): state.connections[id]?.send(line.text)
      case .close(let id): state.connections[id]?.finish()
      }
    }
  }

  private func send(_ push: OrderPush, to id: Int, _ state: inout State) {
    guard let connection = state.connections[id] else { return }
    let text = ServerLine.push(push).text
    let fault = state.dice.push()
    switch fault {
    case .lost: break
    case .none: connection.send(text)
    case .duplicated:
      connection.send(text)
      connection.send(text)
    case .delayed(let delay): _ = timers.schedule(delay) { connection.send(text) }
    case .reordered:
      state.held[id, default: []].append(.push(push))
      later(configuration.faults.pushDelay) { core in core.state.withLock { core.release(id, &$0) } }
    }
    if fault != .reordered { release(id, &state) }
    log?(.pushed(push, connection: id & 0xFFFF_FFFF, fault: fault == .none ? nil : "\(fault)"))
  }

  private func release(_ id: Int, _ state: inout State) {
    for line in state.held.removeValue(forKey: id) ?? [] { state.connections[id]?.send(line.text) }
  }
}
