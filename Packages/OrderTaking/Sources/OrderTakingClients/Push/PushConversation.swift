internal import OrderTaking

/// The push channel of one subscriber as a value: what to do about each thing that happens.
///
/// `(state, event) -> (state, [effect])`; the shell moves bytes, keeps the timers, and feeds back what comes of it.
struct PushConversation {
  enum Event: Equatable {
    case start
    /// The connection stands; this is the token to use, when there is one.
    case connected(token: String?)
    case received([UInt8])
    /// The connection ended or could not be made.
    case ended(String)
    case fired(Timer)
    case tokenRefreshed(Bool)
    case stop
  }

  enum Timer: Hashable, CaseIterable {
    /// Ends the attempt to connect and be welcomed.
    case connect
    /// It is time to say that we are there.
    case heartbeat
    /// Nothing was heard for too long.
    case silence
    /// It is time to try again.
    case retry
  }

  enum Effect: Equatable {
    case connect
    case send(ClientMessage)
    case disconnect
    case start(Timer, Duration)
    case stop(Timer)
    case refreshToken
    case deliver(WirePush)
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
  private(set) var position = PushPosition()
  private var lines: LineBuffer
  private var failures: UInt32 = 0
  /// A token that was refused twice in a row is not refreshed at once again.
  private var hasRefreshed = false
  /// The gap that was asked for already; it is asked for again at the next heartbeat.
  private var askedAfter: UInt64?
  private let random: () -> UInt64

  init(_ configuration: PushConfiguration, random: @escaping () -> UInt64) {
    self.configuration = configuration
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
      return [.send(.subscribe(token: token ?? "", stream: position.stream, after: position.complete))]
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
    case (.tokenRefreshed(true), .refreshing): return connect()
    case (.tokenRefreshed(false), .refreshing):
      return retry(because: "the server refused the token, and getting a new one failed")
    // What comes late: bytes and ends of a connection that was given up, timers that had fired already.
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
    // Once for all that came together.
    if phase == .live { effects.append(.start(.silence, configuration.silenceTimeout)) }
    return effects
  }

  private mutating func handle(_ message: ServerMessage) -> [Effect] {
    switch (message, phase) {
    case (.welcome(let stream, let after), .subscribing):
      phase = .live
      position.begin(stream, after: after)
      return [
        .stop(.connect), .start(.heartbeat, configuration.heartbeat), .report(.subscribed(after: position.complete)),
      ]
    case (.welcome(let stream, let after), _):
      position.begin(stream, after: after)
      return []
    case (.goodbye("unauthorized"), _): return refused()
    case (.goodbye(let reason), _): return retry(because: "the server closed the channel: \(reason.prefix(80))")
    case (.push(let push), .live):
      guard position.take(push.cursor) == .new else { return [.report(.repeated(cursor: push.cursor))] }
      return [.report(.received(cursor: push.cursor)), .deliver(push)] + (position.hasGap ? askForMissing() : [])
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
    guard !hasRefreshed else { return retry(because: "the server refused the token") }
    hasRefreshed = true
    phase = .refreshing
    return [.stop(.connect), .stop(.heartbeat), .stop(.silence), .disconnect, .report(.refused), .refreshToken]
  }
}
