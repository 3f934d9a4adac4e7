internal import OrderTaking
internal import OrderTakingDispatch

/// A connection receives nothing before it has sent a known token.
///
/// Then it receives only the pushes to the token's driver.
struct PushDesk: Sendable, Equatable {
  enum Event: Equatable {
    case connected(Int)
    case received(Int, [UInt8])
    case closed(Int)
    /// The connection sends too many lines, or its address too many requests.
    case limited(Int)
    /// The pushes to the connection's driver cannot be read.
    case unavailable(Int)
    case tick
    case decided(OrderPush)
    case stopping
  }

  enum Effect: Equatable {
    case send(Int, ServerLine)
    /// Closes the connection after all lines were sent.
    case close(Int)
  }

  private struct Session: Equatable {
    /// `nil` before the connection has sent a known token.
    var authorization: Authorization?
    var lastReceived: Duration

    var driver: String? { authorization?.driver }
  }

  /// A client with another epoch receives all pushes.
  let epoch: String
  let silenceTimeout: Duration
  private var sessions: [Int: Session] = [:]

  init(epoch: String, silenceTimeout: Duration) {
    self.epoch = epoch
    self.silenceTimeout = silenceTimeout
  }

  var count: Int { sessions.count }

  var drivers: Set<String> { Set(sessions.values.compactMap(\.driver)) }

  func driver(of connection: Int) -> String? { sessions[connection]?.driver }

  func tokenID(of connection: Int) -> String? { sessions[connection]?.authorization?.tokenID }

  /// Silence is measured by the clock that cannot be set, so that a step of the wall clock disconnects no client.
  mutating func handle(_ event: Event, _ orders: DispatchState, at now: Moment) -> [Effect] {
    switch event {
    case .connected(let id):
      sessions[id] = Session(lastReceived: now.sinceBoot)
      return []
    case .closed(let id):
      sessions[id] = nil
      return []
    case .limited(let id): return leave(id, .rateLimited)
    case .unavailable(let id): return leave(id, .stopping)
    case .received(let id, let bytes): return received(bytes, from: id, orders, at: now)
    case .tick: return tick(orders, at: now)
    case .decided(let push):
      return sessions.filter { _, session in
        session.driver == push.driver && session.authorization?.hasExpired(at: now.sinceEpoch) == false
      }.keys.sorted().map { .send($0, .push(push)) }
    case .stopping: return sessions.keys.sorted().flatMap { leave($0, .stopping) }
    }
  }

  private mutating func received(
    _ bytes: [UInt8], from id: Int, _ orders: DispatchState, at now: Moment
  ) -> [Effect] {
    guard let session = sessions[id] else { return [] }
    guard session.authorization?.hasExpired(at: now.sinceEpoch) != true else { return leave(id, .unauthorized) }
    sessions[id]?.lastReceived = now.sinceBoot
    switch (ClientLine(bytes), session.driver) {
    case (.subscribe(let token, let epoch, let after), nil):
      guard let authorization = try? orders.credentials.authorization(of: token, at: now.sinceEpoch) else {
        return leave(id, .unauthorized)
      }
      guard authorization.scopes.contains(.readOrders) else { return leave(id, .forbidden) }
      sessions[id]?.authorization = authorization
      return replay(to: id, authorization.driver, after: epoch == self.epoch ? after : 0, orders)
    case (.replay(let after), let driver?): return replay(to: id, driver, after: after, orders)
    case (.heartbeat, _?): return []
    case (.subscribe, _), (.replay, nil), (.heartbeat, nil), (nil, _): return leave(id, .malformed)
    }
  }

  private func replay(to id: Int, _ driver: String, after cursor: UInt64, _ orders: DispatchState) -> [Effect] {
    let (from, pushes) = orders.pushes(to: driver, after: cursor)
    return [.send(id, .welcome(epoch: epoch, after: from, cursor: orders.lastCursor(of: driver)))]
      + pushes.map { .send(id, .push($0)) }
  }

  private mutating func tick(_ orders: DispatchState, at now: Moment) -> [Effect] {
    sessions.sorted { $0.key < $1.key }.flatMap { id, session -> [Effect] in
      if now.sinceBoot - session.lastReceived > silenceTimeout { return leave(id, .silent) }
      if session.authorization?.hasExpired(at: now.sinceEpoch) == true { return leave(id, .unauthorized) }
      return session.driver.map { [.send(id, .heartbeat(cursor: orders.lastCursor(of: $0)))] } ?? []
    }
  }

  private mutating func leave(_ id: Int, _ reason: ServerLine.Goodbye) -> [Effect] {
    sessions[id] = nil
    return [.send(id, .goodbye(reason: reason)), .close(id)]
  }
}
