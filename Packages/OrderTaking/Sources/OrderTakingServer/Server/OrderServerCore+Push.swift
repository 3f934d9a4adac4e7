internal import Loopback
internal import OrderTaking

// The push channel: what happens on connections goes to the desk, what it says goes out, with faults.

extension OrderServerCore {
  /// The handlers for connections of a new listener; those of earlier ones are forgotten.
  func beginGeneration() -> LineHandlers {
    let generation = state.withLock { state in
      state.generation += 1
      return state.generation << 32
    }
    return LineHandlers(
      onConnect: { [weak self] connection in
        self?.heard(.connected(generation | connection.id), connection)
        self?.log?(.pushConnected(connection: connection.id))
      },
      onLine: { [weak self] connection, line in
        guard line.isTerminated else { return }
        self?.heard(.received(generation | connection.id, line.bytes), connection)
      },
      onClose: { [weak self] connection, reason in
        self?.closed(generation | connection.id, connection, "\(reason)")
      })
  }

  private func heard(_ event: PushDesk.Event, _ connection: LineConnection) {
    state.withLock { state in
      if case .connected(let id) = event { state.connections[id] = connection }
      perform(state.desk.handle(event, state.book, at: timers.now()), &state)
    }
  }

  private func closed(_ id: Int, _ connection: LineConnection, _ reason: String) {
    let driver = state.withLock { state in
      let driver = state.desk.driver(of: id)
      state.connections[id] = nil
      state.held[id] = nil
      perform(state.desk.handle(.closed(id), state.book, at: timers.now()), &state)
      return driver
    }
    log?(.pushClosed(connection: connection.id, driver: driver, reason: reason))
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
