internal import OrderTakingDispatch

/// The decisions of the push channel as a value: `(state, event) -> (state, [effect])`.
///
/// A connection receives nothing before it has sent a known token. Then it receives only the pushes to the token's driver.
struct PushDesk: Sendable, Equatable {
  enum Event: Equatable {
    case connected(Int)
    case received(Int, [UInt8])
    case closed(Int)
    /// A heartbeat is due.
    case tick
    /// An order was decided.
    case decided(OrderPush)
    case stopping
  }

  enum Effect: Equatable {
    case send(Int, ServerLine)
    /// Closes the connection after all lines were sent.
    case close(Int)
  }

  private struct Session: Equatable {
    var driver: String?
    var lastReceived: Duration
  }

  /// The name of the numbering of pushes.
  ///
  /// A client with another epoch receives all pushes.
  let epoch: String
  /// The maximum time without data from a connection.
  let silenceTimeout: Duration
  private var sessions: [Int: Session] = [:]

  init(epoch: String, silenceTimeout: Duration) {
    self.epoch = epoch
    self.silenceTimeout = silenceTimeout
  }

  /// The number of connections.
  var count: Int { sessions.count }

  /// Returns the driver of a connection, or `nil` before it has sent a known token.
  func driver(of connection: Int) -> String? { sessions[connection]?.driver }

  /// Handles an event.
  ///
  /// - Parameter now: The time on a clock that counts sleep and cannot be set. A step of the wall clock must disconnect no client.
  mutating func handle(_ event: Event, _ orders: DispatchState, at now: Duration) -> [Effect] {
    switch event {
    case .connected(let id):
      sessions[id] = Session(lastReceived: now)
      return []
    case .closed(let id):
      sessions[id] = nil
      return []
    case .received(let id, let bytes): return received(bytes, from: id, orders, at: now)
    case .tick: return tick(orders, at: now)
    case .decided(let push):
      return sessions.filter { $0.value.driver == push.driver }.keys.sorted().map { .send($0, .push(push)) }
    case .stopping: return sessions.keys.sorted().flatMap { leave($0, .stopping) }
    }
  }

  private mutating func received(
    _ bytes: [UInt8], from id: Int, _ orders: DispatchState, at now: Duration
  ) -> [Effect] {
    guard let session = sessions[id] else { return [] }
    sessions[id]?.lastReceived = now
    switch (ClientLine(bytes), session.driver) {
    case (.subscribe(let token, let epoch, let after), nil):
      guard let driver = orders.credentials.driver(of: token) else { return leave(id, .unauthorized) }
      sessions[id]?.driver = driver
      return replay(to: id, driver, after: epoch == self.epoch ? after : 0, orders)
    case (.replay(let after), let driver?): return replay(to: id, driver, after: after, orders)
    case (.heartbeat, _?): return []
    case (.subscribe, _), (.replay, nil), (.heartbeat, nil), (nil, _): return leave(id, .malformed)
    }
  }

  /// Returns the welcome with the actual first cursor, and the stored pushes after it.
  private func replay(to id: Int, _ driver: String, after cursor: UInt64, _ orders: DispatchState) -> [Effect] {
    let (from, pushes) = orders.pushes(to: driver, after: cursor)
    return [.send(id, .welcome(epoch: epoch, after: from, cursor: orders.lastCursor(of: driver)))]
      + pushes.map { .send(id, .push($0)) }
  }

  private mutating func tick(_ orders: DispatchState, at now: Duration) -> [Effect] {
    sessions.sorted { $0.key < $1.key }.flatMap { id, session -> [Effect] in
      if now - session.lastReceived > silenceTimeout { return leave(id, .silent) }
      return session.driver.map { [.send(id, .heartbeat(cursor: orders.lastCursor(of: $0)))] } ?? []
    }
  }

  private mutating func leave(_ id: Int, _ reason: ServerLine.Goodbye) -> [Effect] {
    sessions[id] = nil
    return [.send(id, .goodbye(reason: reason)), .close(id)]
  }
}
