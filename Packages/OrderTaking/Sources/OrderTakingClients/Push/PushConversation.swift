internal import OrderTaking

/// The decisions of a push channel as a value: `(state, event) -> (state, [effect])`.
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
    /// Limits the time to connect and to receive the welcome, and the time of a refresh of the token.
    case connect
    case heartbeat
    case silence
    case retry
  }

  enum Effect: Equatable {
    case connect
    case send(ClientMessage)
    case disconnect
    case start(Timer, Duration)
    case stop(Timer)
    case refreshToken
    case deliver(WirePush, PushCheckpoint?)
    case report(PushNotice)
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
  private(set) var position: PushPosition
  private var lines: LineBuffer
  private var failures: UInt32 = 0
  /// Whether the next connection has a fresh token.
  ///
  /// If the server refuses that token too, the next refresh follows a back-off and another refusal.
  private var hasRefreshed = false
  /// The gap that was requested already.
  ///
  /// It is requested again at the next heartbeat.
  private var askedAfter: UInt64?
  private let random: () -> UInt64

  init(_ configuration: PushConfiguration, from checkpoint: PushCheckpoint? = nil, random: @escaping () -> UInt64) {
    self.configuration = configuration
    position = PushPosition(checkpoint)
    self.random = random
    lines = LineBuffer(limit: configuration.lineBytes)
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
      lines = LineBuffer(limit: configuration.lineBytes)
      return [.send(.subscribe(token: token ?? "", epoch: position.epoch, after: position.complete))]
    case (.received(let bytes), .subscribing), (.received(let bytes), .live): return receive(bytes)
    case (.ended(let reason), .connecting), (.ended(let reason), .subscribing), (.ended(let reason), .live):
      return retry(because: reason)
    case (.fired(.connect), .connecting), (.fired(.connect), .subscribing):
      return retry(because: "no welcome within \(configuration.connectTimeout)")
    case (.fired(.connect), .refreshing):
      return retry(
        because: "the server refused the token, and there was no new one within \(configuration.connectTimeout)")
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
    return [.report(.connecting), .connect, .start(.connect, configuration.connectTimeout)]
  }

  private mutating func retry(because reason: String) -> [Effect] {
    phase = .waiting
    askedAfter = nil
    if failures < .max { failures += 1 }
    let delay = configuration.reconnect.delay(after: failures, random: random())
    return [.stop(.connect), .stop(.heartbeat), .stop(.silence), .disconnect, .start(.retry, delay)]
      + [.report(.lost(reason, retryingAfter: delay))]
  }

  private mutating func receive(_ bytes: [UInt8]) -> [Effect] {
    let whole: [[UInt8]]
    do { whole = try lines.append(bytes) } catch {
      return retry(because: "the server sent a line of more than \(configuration.lineBytes) bytes")
    }
    var effects: [Effect] = []
    for line in whole {
      guard phase == .subscribing || phase == .live else { break }
      guard let message = ServerMessage(line) else {
        return effects + retry(because: "the server sent an invalid message")
      }
      effects += handle(message)
    }
    if phase == .live { effects.append(.start(.silence, configuration.silenceTimeout)) }
    return effects
  }

  private mutating func handle(_ message: ServerMessage) -> [Effect] {
    switch (message, phase) {
    case (.welcome(let epoch, let after, let last), .subscribing):
      phase = .live
      position.begin(epoch, after: after, last: last)
      return [
        .stop(.connect), .start(.heartbeat, configuration.heartbeat), .report(.subscribed(after: position.complete)),
      ]
    case (.welcome(let epoch, let after, let last), _):
      position.begin(epoch, after: after, last: last)
      return []
    case (.goodbye("unauthorized"), _): return refused()
    case (.goodbye(let reason), _): return retry(because: "the server closed the channel: \(reason.prefix(80))")
    case (.push(let push), .live):
      guard position.take(push.cursor) == .new else { return [.report(.repeated(cursor: push.cursor))] }
      return [.report(.received(cursor: push.cursor)), .deliver(push, position.checkpoint)]
        + (position.hasGap ? askForMissing() : [])
    case (.heartbeat(let cursor), .live):
      askedAfter = nil
      return cursor > position.complete ? askForMissing() : []
    case (.push, _), (.heartbeat, _): return retry(because: "the server's first message was not a welcome")
    }
  }

  private mutating func askForMissing() -> [Effect] {
    guard askedAfter != position.complete else { return [] }
    askedAfter = position.complete
    return [.report(.missing(after: position.complete)), .send(.replay(after: position.complete))]
  }

  private mutating func refused() -> [Effect] {
    guard !hasRefreshed else {
      hasRefreshed = false
      return retry(because: "the server refused the token")
    }
    phase = .refreshing
    return [.stop(.heartbeat), .stop(.silence), .disconnect, .report(.refused), .refreshToken]
      + [.start(.connect, configuration.connectTimeout)]
  }
}
