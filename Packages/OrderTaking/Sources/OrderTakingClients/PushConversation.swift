internal import OrderTaking

/// The decisions of a push channel as a value: `(state, event) -> (state, [effect])`.
///
/// Pushes can be lost, repeated or reordered. The server numbers a driver's pushes without gaps, so a gap is a missing push.
struct PushConversation {
  enum Event: Equatable {
    case start
    /// The connection was made. The value is the token, if any.
    case connected(token: String?)
    case received([UInt8])
    case ended(String)
    case fired(Timer)
    case tokenRefreshed(Bool)
    case stop
  }

  enum Timer: Hashable, CaseIterable {
    /// Limits the time to connect and to receive the welcome.
    case connect
    case heartbeat
    case silence
    case retry
  }

  enum Effect: Equatable {
    case connect
    case send(Wire.ClientLine)
    case disconnect
    case start(Timer, Duration)
    case stop(Timer)
    case refreshToken
    case deliver(PushedResult)
    /// The server has accepted the subscription.
    case opened
    /// The connection was not made, or ended, for a reason.
    case lost(String)
  }

  enum Phase: Equatable {
    case idle
    case connecting
    case subscribing
    case live
    case refreshing
    case waiting
    case stopped
  }

  let configuration: PushConfiguration
  private(set) var phase = Phase.idle
  /// The name of the server's numbering of pushes.
  ///
  /// A server that has lost its state begins a new one.
  private(set) var epoch: String?
  /// The last cursor up to which all pushes have arrived.
  private(set) var complete: UInt64 = 0
  private var lines = LineBuffer()
  private var failures = 0
  /// Whether the next connection has a fresh token.
  ///
  /// If the server refuses that token too, the next refresh follows a back-off and another refusal.
  private var hasRefreshed = false
  /// The gap that was requested already, until the next heartbeat.
  private var askedAfter: UInt64?
  private let random: () -> UInt64

  init(_ configuration: PushConfiguration, random: @escaping () -> UInt64) {
    self.configuration = configuration
    self.random = random
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (event, phase) {
    case (_, .stopped): return []
    case (.stop, _):
      phase = .stopped
      return Timer.allCases.map { .stop($0) } + [.disconnect]
    case (.start, .idle), (.fired(.retry), .waiting): return connect()
    case (.connected(let token), .connecting):
      phase = .subscribing
      lines = LineBuffer()
      return [.send(.subscribe(token: token ?? "", epoch: epoch, after: complete))]
    case (.received(let bytes), .subscribing), (.received(let bytes), .live): return receive(bytes)
    case (.ended(let reason), .connecting), (.ended(let reason), .subscribing), (.ended(let reason), .live):
      return retry(because: reason)
    case (.fired(.connect), .connecting), (.fired(.connect), .subscribing):
      return retry(because: "no welcome within \(configuration.connectTimeout)")
    case (.fired(.silence), .live): return retry(because: "the server sent nothing for \(configuration.silenceTimeout)")
    case (.fired(.heartbeat), .live):
      failures = 0
      hasRefreshed = false
      return [.send(.heartbeat), .start(.heartbeat, configuration.heartbeat)]
    case (.tokenRefreshed(true), .refreshing):
      hasRefreshed = true
      return connect()
    case (.tokenRefreshed(false), .refreshing):
      return retry(because: "the server refused the token, and getting a new one failed")
    // Late events: of a closed connection, or of timers that had fired already.
    default: return []
    }
  }

  private mutating func connect() -> [Effect] {
    phase = .connecting
    return [.connect, .start(.connect, configuration.connectTimeout)]
  }

  private mutating func retry(because reason: String) -> [Effect] {
    phase = .waiting
    askedAfter = nil
    failures += 1
    let delay = configuration.reconnect.delay(after: failures, random: random())
    return [.stop(.connect), .stop(.heartbeat), .stop(.silence), .disconnect, .start(.retry, delay), .lost(reason)]
  }

  private mutating func receive(_ bytes: [UInt8]) -> [Effect] {
    let whole: [[UInt8]]
    do { whole = try lines.append(bytes) } catch {
      return retry(because: "the server sent a line of more than \(LineBuffer.limit) bytes")
    }
    var effects: [Effect] = []
    for line in whole {
      guard phase == .subscribing || phase == .live else { break }
      guard let message = Wire.ServerLine(line) else {
        return effects + retry(because: "the server sent an invalid message")
      }
      effects += handle(message)
    }
    if phase == .live { effects.append(.start(.silence, configuration.silenceTimeout)) }
    return effects
  }

  private mutating func handle(_ message: Wire.ServerLine) -> [Effect] {
    switch (message, phase) {
    case (.welcome(let epoch, let after, let last), .subscribing):
      phase = .live
      begin(epoch, after: after, last: last)
      return [.stop(.connect), .start(.heartbeat, configuration.heartbeat), .opened]
    case (.welcome(let epoch, let after, let last), _):
      begin(epoch, after: after, last: last)
      return []
    case (.goodbye(Wire.ServerLine.unauthorized), _): return refused()
    case (.goodbye(let reason), _): return retry(because: "the server closed the channel: \(reason.prefix(80))")
    case (.push(let push), .live):
      guard push.cursor > complete else { return [] }
      // The missing pushes come first, and then this one again.
      guard push.cursor == complete + 1 else { return askForMissing() }
      complete = push.cursor
      // A text that is no name is not an order of this client's taker.
      return push.order.map { [.deliver(PushedResult(order: $0, key: push.key, result: push.result))] } ?? []
    case (.heartbeat(let cursor), .live):
      askedAfter = nil
      return cursor > complete ? askForMissing() : []
    case (.push, _), (.heartbeat, _): return retry(because: "the server's first message was not a welcome")
    }
  }

  /// The server sends the pushes after a cursor.
  ///
  /// Its last cursor is lower than that of this client if the server has lost pushes. It uses their cursors again.
  private mutating func begin(_ epoch: String, after cursor: UInt64, last: UInt64?) {
    let isSame = self.epoch.map { $0.utf8.elementsEqual(epoch.utf8) } ?? false
    complete = isSame && last ?? .max >= complete ? max(complete, cursor) : cursor
    self.epoch = epoch
  }

  private mutating func askForMissing() -> [Effect] {
    guard askedAfter != complete else { return [] }
    askedAfter = complete
    return [.send(.replay(after: complete))]
  }

  private mutating func refused() -> [Effect] {
    guard !hasRefreshed else {
      hasRefreshed = false
      return retry(because: "the server refused the token")
    }
    phase = .refreshing
    return [.stop(.connect), .stop(.heartbeat), .stop(.silence), .disconnect, .lost("the server refused the token")]
      + [.refreshToken]
  }
}

/// Stores at most one incomplete line.
struct LineBuffer {
  struct Overflow: Error, Equatable {}

  static let limit = 64 << 10
  private var partial: [UInt8] = []

  /// Adds bytes, and returns the lines that they complete, without line feeds.
  mutating func append(_ bytes: [UInt8]) throws(Overflow) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      guard partial.count + (end - rest.startIndex) <= Self.limit else { throw Overflow() }
      lines.append(partial + rest[..<end])
      partial.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    guard partial.count + rest.count <= Self.limit else { throw Overflow() }
    partial += rest
    return lines
  }
}
