internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingDispatch

/// The decisions of a push channel's server as a value.
///
/// A connection receives only the pushes to the driver of its token.
struct PushDesk: Sendable {
  enum Event: Equatable {
    case connected(Int)
    case received(Int, [UInt8])
    case closed(Int)
    case decided(ServedOrder)
    case tokensChanged
    case tick
    case stopping
  }

  enum Effect: Equatable {
    case send(Int, Wire.ServerLine)
    /// Closes the connection after all lines were sent.
    case close(Int)
  }

  enum Goodbye: String {
    case unauthorized
    case malformed
    case silent
    case stopping
  }

  private struct Session {
    /// `nil` before the connection has sent a known token.
    var token: String?
    var driver: DriverID?
    var lastReceived: Duration
  }

  /// The name of the numbering of pushes.
  ///
  /// A client with another epoch receives all pushes.
  let epoch: String
  let silenceTimeout: Duration
  private var sessions: [Int: Session] = [:]

  init(epoch: String, silenceTimeout: Duration) {
    (self.epoch, self.silenceTimeout) = (epoch, silenceTimeout)
  }

  /// Silence is measured by the clock that cannot be set, so that a step of the wall clock disconnects no client.
  mutating func handle(_ event: Event, _ orders: DispatchState, at now: Duration) -> [Effect] {
    let effects = effects(of: event, orders, at: now)
    for case .close(let id) in effects { sessions[id] = nil }
    return effects
  }

  private mutating func effects(of event: Event, _ orders: DispatchState, at now: Duration) -> [Effect] {
    switch event {
    case .connected(let id): sessions[id] = Session(lastReceived: now)
    case .closed(let id): sessions[id] = nil
    case .received(let id, let bytes): return received(bytes, from: id, orders, at: now)
    case .decided(let order):
      guard let push = order.push else { return [] }
      return each { $1.driver == order.taking?.driver ? [.send($0, .push(push))] : [] }
    case .tokensChanged:
      return each {
        $1.token != nil && orders.tokens.driver(of: $1.token) != $1.driver ? goodbye($0, .unauthorized) : []
      }
    case .tick:
      return each { id, session in
        if now - session.lastReceived > silenceTimeout { return goodbye(id, .silent) }
        return session.driver.map { [.send(id, .heartbeat(cursor: orders.lastCursor(of: $0)))] } ?? []
      }
    case .stopping: return each { id, _ in goodbye(id, .stopping) }
    }
    return []
  }

  private mutating func received(
    _ bytes: [UInt8], from id: Int, _ orders: DispatchState, at now: Duration
  ) -> [Effect] {
    guard let session = sessions[id] else { return [] }
    sessions[id]?.lastReceived = now
    switch (Wire.ClientLine(bytes), session.driver) {
    case (.subscribe(let token, let epoch, let after), nil):
      guard let driver = orders.tokens.driver(of: token) else { return goodbye(id, .unauthorized) }
      sessions[id] = Session(token: token, driver: driver, lastReceived: now)
      return replay(to: id, driver, after: epoch == self.epoch ? after : 0, orders)
    case (.replay(let after), let driver?): return replay(to: id, driver, after: after, orders)
    case (.heartbeat, _?): return []
    case (.subscribe, _), (.replay, nil), (.heartbeat, nil), (nil, _): return goodbye(id, .malformed)
    }
  }

  private func replay(to id: Int, _ driver: DriverID, after cursor: UInt64, _ orders: DispatchState) -> [Effect] {
    let last = orders.lastCursor(of: driver)
    return [.send(id, .welcome(epoch: epoch, after: min(cursor, last), last: last))]
      + orders.pushes(to: driver, after: cursor).map { .send(id, .push($0)) }
  }

  private func each(_ body: (Int, Session) -> [Effect]) -> [Effect] {
    sessions.sorted { $0.key < $1.key }.flatMap { body($0.key, $0.value) }
  }

  private func goodbye(_ id: Int, _ reason: Goodbye) -> [Effect] {
    [.send(id, .goodbye(reason: reason.rawValue)), .close(id)]
  }
}
