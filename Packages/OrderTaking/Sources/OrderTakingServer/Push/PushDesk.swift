/// Who listens on the push channel: a value that takes in what happens on its connections and says what to send.
///
/// A connection says who it is before it hears anything, and hears what is for its driver alone.
struct PushDesk: Sendable, Equatable {
  enum Event: Equatable {
    case connected(Int)
    case received(Int, [UInt8])
    case closed(Int)
    /// It is time for a heartbeat.
    case tick
    /// An order was decided.
    case decided(OrderPush)
    case stopping
  }

  enum Effect: Equatable {
    case send(Int, ServerLine)
    /// Close once everything has been sent.
    case close(Int)
  }

  private struct Session: Equatable {
    var driver: String?
    var heardAt: Duration
  }

  /// Names the counting of cursors: clients that come back from another one begin at the beginning.
  let stream: String
  /// How long a connection may say nothing.
  let silenceTimeout: Duration
  private var sessions: [Int: Session] = [:]

  init(stream: String, silenceTimeout: Duration) {
    self.stream = stream
    self.silenceTimeout = silenceTimeout
  }

  /// How many connections there are.
  var count: Int { sessions.count }

  /// Whose connection it is, once it has said so.
  func driver(of connection: Int) -> String? { sessions[connection]?.driver }

  mutating func handle(_ event: Event, _ book: OrderBook, at now: Duration) -> [Effect] {
    switch event {
    case .connected(let id):
      sessions[id] = Session(heardAt: now)
      return []
    case .closed(let id):
      sessions[id] = nil
      return []
    case .received(let id, let bytes): return received(bytes, from: id, book, at: now)
    case .tick: return tick(book, at: now)
    case .decided(let push):
      return sessions.filter { $0.value.driver == push.driver }.keys.sorted().map { .send($0, .push(push)) }
    case .stopping: return sessions.keys.sorted().flatMap { leave($0, .stopping) }
    }
  }

  private mutating func received(_ bytes: [UInt8], from id: Int, _ book: OrderBook, at now: Duration) -> [Effect] {
    guard let session = sessions[id] else { return [] }
    sessions[id]?.heardAt = now
    switch (ClientLine(bytes), session.driver) {
    case (.subscribe(let token, let stream, let after), nil):
      guard let driver = book.credentials.driver(of: token) else { return leave(id, .unauthorized) }
      sessions[id]?.driver = driver
      return replay(to: id, driver, after: stream == self.stream ? after : 0, book)
    case (.replay(let after), let driver?): return replay(to: id, driver, after: after, book)
    case (.heartbeat, _?): return []
    case (.subscribe, _), (.replay, nil), (.heartbeat, nil), (nil, _): return leave(id, .malformed)
    }
  }

  /// Where the pushes really begin, and all of them from there.
  private func replay(to id: Int, _ driver: String, after cursor: UInt64, _ book: OrderBook) -> [Effect] {
    let (from, pushes) = book.pushes(to: driver, after: cursor)
    return [.send(id, .welcome(stream: stream, after: from, cursor: book.lastCursor(of: driver)))]
      + pushes.map { .send(id, .push($0)) }
  }

  private mutating func tick(_ book: OrderBook, at now: Duration) -> [Effect] {
    sessions.sorted { $0.key < $1.key }.flatMap { id, session -> [Effect] in
      // A clock that was turned back makes a silence shorter, never longer.
      if now - session.heardAt > silenceTimeout { return leave(id, .silent) }
      return session.driver.map { [.send(id, .heartbeat(cursor: book.lastCursor(of: $0)))] } ?? []
    }
  }

  private mutating func leave(_ id: Int, _ reason: ServerLine.Goodbye) -> [Effect] {
    sessions[id] = nil
    return [.send(id, .goodbye(reason: reason)), .close(id)]
  }
}
