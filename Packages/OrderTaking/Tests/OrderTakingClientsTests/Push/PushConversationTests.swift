import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingClients

@Suite("The conversation of a push channel") struct PushConversationTests {
  static let configuration: PushConfiguration = {
    var configuration = PushConfiguration()
    configuration.lineBytes = 200
    configuration.reconnect = .exponential(from: .milliseconds(250), atMost: .seconds(30))
    return configuration
  }()
  /// With the maximum jitter.
  var conversation = PushConversation(configuration) { .max }

  mutating func receive(_ lines: String...) -> [PushConversation.Effect] {
    conversation.handle(.received(Array(lines.map { $0 + "\n" }.joined().utf8)))
  }

  func push(_ cursor: UInt64, order: String = "7") -> String {
    #"{"type":"push","cursor":\#(cursor),"order":"\#(order)","key":"00000000000000010000000000000002","result":"accepted"}"#
  }

  func delivered(_ effects: [PushConversation.Effect]) -> [UInt64] {
    effects.compactMap { if case .deliver(let push, _) = $0 { push.cursor } else { nil } }
  }

  func sent(_ effects: [PushConversation.Effect]) -> [ClientMessage] {
    effects.compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  func lost(_ effects: [PushConversation.Effect]) -> String? {
    effects.lazy.compactMap { if case .report(.lost(let reason, _)) = $0 { reason } else { nil } }.first
  }

  func retryDelay(_ effects: [PushConversation.Effect]) -> Duration? {
    effects.lazy.compactMap { if case .start(.retry, let delay) = $0 { delay } else { nil } }.first
  }

  mutating func goLive(after cursor: UInt64 = 0) {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "secret"))
    _ = receive(#"{"type":"welcome","stream":"s","after":\#(cursor),"cursor":\#(cursor)}"#)
  }

  @Test("the client connects, subscribes and receives a welcome") mutating func welcome() {
    #expect(
      conversation.handle(.start) == [.report(.connecting), .connect, .start(.connect, .seconds(10))])
    #expect(
      conversation.handle(.connected(token: "secret")) == [
        .send(.subscribe(token: "secret", epoch: nil, after: 0))
      ])
    #expect(
      receive(#"{"type":"welcome","stream":"s","after":4,"cursor":9}"#) == [
        .stop(.connect), .start(.heartbeat, .seconds(15)), .report(.subscribed(after: 4)),
        .start(.silence, .seconds(40)),
      ])
    #expect(conversation.phase == .live)
  }

  @Test("a push is delivered once") mutating func delivers() {
    goLive()
    let effects = receive(push(1))
    let push = WirePush(
      cursor: 1, order: "7", key: IdempotencyKey(high: 1, low: 2), result: .accepted)
    let checkpoint = conversation.position.checkpoint
    #expect(effects == [.report(.received(cursor: 1)), .deliver(push, checkpoint), .start(.silence, .seconds(40))])
    #expect(delivered(receive(self.push(1))).isEmpty)
    let declined = receive(#"{"type":"push","cursor":2,"order":"8","result":"declined","reason":"late"}"#)
    let second = WirePush(cursor: 2, order: "8", key: nil, result: .declined("late"))
    #expect(declined.contains(.deliver(second, conversation.position.checkpoint)))
  }

  @Test("a checkpoint contains no push after a missing one") mutating func checkpoint() {
    goLive()
    let effects = receive(push(2), push(1), push(3))
    let checkpoints = effects.compactMap {
      if case .deliver(_, let checkpoint) = $0 { checkpoint?.cursor } else { nil }
    }
    #expect(checkpoints == [0, 2, 3])
    #expect(conversation.position.checkpoint?.epoch == "s")
  }

  @Test("a subscription continues from a checkpoint") mutating func fromCheckpoint() {
    conversation = PushConversation(Self.configuration, from: PushCheckpoint(epoch: "s", cursor: 7)) { .max }
    _ = conversation.handle(.start)
    #expect(
      sent(conversation.handle(.connected(token: "secret"))) == [.subscribe(token: "secret", epoch: "s", after: 7)])
    _ = receive(#"{"type":"welcome","stream":"s","after":7,"cursor":8}"#)
    #expect(delivered(receive(push(7), push(8))) == [8])
  }

  @Test("a server that has lost pushes, for example after a fail-over, sets a later checkpoint back")
  mutating func lostPushes() {
    conversation = PushConversation(Self.configuration, from: PushCheckpoint(epoch: "s", cursor: 7)) { .max }
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "secret"))
    let effects = receive(#"{"type":"welcome","stream":"s","after":4,"cursor":4}"#, push(5))
    #expect(effects.contains(.report(.subscribed(after: 4))))
    #expect(delivered(effects) == [5])
    #expect(conversation.position.checkpoint == PushCheckpoint(epoch: "s", cursor: 5))
  }

  @Test("a server that sends earlier pushes again, and has lost none, keeps the checkpoint")
  mutating func earlierPushes() {
    conversation = PushConversation(Self.configuration, from: PushCheckpoint(epoch: "s", cursor: 7)) { .max }
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "secret"))
    for welcome in [
      #"{"type":"welcome","stream":"s","after":0,"cursor":7}"#, #"{"type":"welcome","stream":"s","after":0}"#,
    ] {
      _ = receive(welcome)
      #expect(delivered(receive(push(1), push(7))).isEmpty)
    }
  }

  @Test("lines that arrive in pieces or together are all read") mutating func pieces() {
    goLive()
    let bytes = Array((push(1) + "\r\n" + push(2) + "\n").utf8)
    #expect(bytes.flatMap { delivered(conversation.handle(.received([$0]))) } == [1, 2])
    #expect(delivered(receive(push(3), push(4))) == [3, 4])
  }

  @Test("a new connection continues after the last push and receives the missed ones") mutating func resume() {
    goLive()
    _ = receive(push(1), push(2))
    let effects = conversation.handle(.ended("reset"))
    #expect(lost(effects) == "reset")
    #expect(retryDelay(effects) == .milliseconds(250))
    #expect(effects.contains(.disconnect) && effects.contains(.stop(.silence)) && effects.contains(.stop(.heartbeat)))
    #expect(conversation.handle(.fired(.retry)).contains(.connect))
    #expect(
      sent(conversation.handle(.connected(token: "fresh"))) == [.subscribe(token: "fresh", epoch: "s", after: 2)])
    #expect(delivered(receive(#"{"type":"welcome","stream":"s","after":2,"cursor":3}"#, push(3))) == [3])
  }

  @Test("the push client backs off after each failure until a connection lasts") mutating func backoff() {
    var delays: [Duration?] = [retryDelay(conversation.handle(.start) + conversation.handle(.ended("refused")))]
    for _ in 0..<9 {
      _ = conversation.handle(.fired(.retry))
      delays.append(retryDelay(conversation.handle(.ended("refused"))))
    }
    #expect(
      delays == [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000].map { .milliseconds($0) })
    // A welcome does not reset the back-off, because a server can close each connection after it.
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    _ = receive(#"{"type":"welcome","stream":"s","after":0,"cursor":0}"#)
    #expect(retryDelay(conversation.handle(.ended("reset"))) == .seconds(30))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    _ = receive(#"{"type":"welcome","stream":"s","after":0,"cursor":0}"#)
    _ = conversation.handle(.fired(.heartbeat))
    #expect(retryDelay(conversation.handle(.ended("reset"))) == .milliseconds(250))
  }

  @Test("the push client sends heartbeats and closes a silent connection") mutating func heartbeats() {
    goLive()
    #expect(
      conversation.handle(.fired(.heartbeat)) == [.send(.heartbeat), .start(.heartbeat, .seconds(15))])
    #expect(receive(#"{"type":"heartbeat","cursor":0}"#) == [.start(.silence, .seconds(40))])
    #expect(lost(conversation.handle(.fired(.silence))) == "the server sent nothing for 40.0 seconds")
    #expect(conversation.phase == .waiting)
  }

  @Test("the push client closes a connection without a welcome") mutating func noWelcome() {
    _ = conversation.handle(.start)
    #expect(lost(conversation.handle(.fired(.connect))) == "no welcome within 10.0 seconds")
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    #expect(lost(conversation.handle(.fired(.connect))) != nil)
  }

  @Test("missing pushes are requested after a gap and after a heartbeat with a later cursor") mutating func missing() {
    goLive()
    let gap = receive(push(3))
    #expect(delivered(gap) == [3] && sent(gap) == [.replay(after: 0)])
    #expect(sent(receive(push(4))).isEmpty, "the gap was requested already")
    let replayed = receive(#"{"type":"welcome","stream":"s","after":0,"cursor":4}"#, push(1), push(2), push(3), push(4))
    #expect(delivered(replayed) == [1, 2])
    #expect(conversation.position.complete == 4)
    #expect(sent(receive(#"{"type":"heartbeat","cursor":4}"#)).isEmpty)
    #expect(sent(receive(#"{"type":"heartbeat","cursor":5}"#)) == [.replay(after: 4)])
    #expect(sent(receive(#"{"type":"heartbeat","cursor":5}"#)) == [.replay(after: 4)], "the replay can be lost too")
  }

  @Test("a refused token is renewed once, and then the client backs off") mutating func refused() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "stale"))
    let effects = receive(#"{"type":"goodbye","reason":"unauthorized"}"#)
    #expect(effects.contains(.refreshToken) && effects.contains(.disconnect) && lost(effects) == nil)
    #expect(conversation.handle(.tokenRefreshed(true)).contains(.connect))
    _ = conversation.handle(.connected(token: "fresh"))
    #expect(lost(receive(#"{"type":"goodbye","reason":"unauthorized"}"#)) == "the server refused the token")
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: "fresh"))
    _ = receive(#"{"type":"welcome","stream":"s","after":0,"cursor":0}"#)
    _ = conversation.handle(.fired(.heartbeat))
    #expect(
      receive(#"{"type":"goodbye","reason":"unauthorized"}"#).contains(.refreshToken),
      "the server had accepted the token")
    #expect(retryDelay(conversation.handle(.tokenRefreshed(false))) != nil)
  }

  @Test("a refresh of the token that does not end in time is cancelled, and the next refusal requests another one")
  mutating func refreshWithoutEnd() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "stale"))
    let effects = receive(#"{"type":"goodbye","reason":"unauthorized"}"#)
    #expect(effects.suffix(2) == [.refreshToken, .start(.connect, .seconds(10))])
    let late = conversation.handle(.fired(.connect))
    #expect(lost(late) == "the server refused the token, and there was no new one within 10.0 seconds")
    #expect(retryDelay(late) == .milliseconds(250) && late.contains(.disconnect))
    #expect(conversation.handle(.tokenRefreshed(false)).isEmpty)
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: "stale"))
    #expect(receive(#"{"type":"goodbye","reason":"unauthorized"}"#).contains(.refreshToken))
    // After a failed refresh too.
    #expect(retryDelay(conversation.handle(.tokenRefreshed(false))) == .milliseconds(500))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: "stale"))
    #expect(receive(#"{"type":"goodbye","reason":"unauthorized"}"#).contains(.refreshToken))
    // The back-off also grows when a fresh token is refused.
    _ = conversation.handle(.tokenRefreshed(true))
    _ = conversation.handle(.connected(token: "fresh"))
    #expect(retryDelay(receive(#"{"type":"goodbye","reason":"unauthorized"}"#)) == .seconds(1))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: "fresh"))
    #expect(receive(#"{"type":"goodbye","reason":"unauthorized"}"#).contains(.refreshToken))
  }

  @Test(
    "the push client disconnects from a server that violates the protocol",
    arguments: [
      "", "{}", "hello", #"{"type":"push"}"#, #"{"type":"push","cursor":1,"order":"7","result":"perhaps"}"#,
      #"{"type":"push","cursor":-1,"order":"7","result":"accepted"}"#,
      #"{"type":"push","cursor":1,"order":"7","key":"7","result":"accepted"}"#, #"{"type":"heartbeat"}"#,
      #"{"type":"goodbye"}"#, #"{"type":"goodbye","reason":"stopping"}"#, String(repeating: "[", count: 150), "\u{0}",
    ])
  mutating func hostile(line: String) {
    goLive()
    let effects = receive(line, push(1))
    #expect(lost(effects) != nil && delivered(effects).isEmpty)
    #expect(effects.count { $0 == .disconnect } == 1, "later lines are ignored")
    #expect(conversation.phase == .waiting)
  }

  @Test("a first message other than a welcome ends the connection") mutating func impatient() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: nil))
    #expect(delivered(receive(push(1))).isEmpty && conversation.phase == .waiting)
  }

  @Test("the push client disconnects when a line is too long, and discards it") mutating func endless() {
    goLive()
    #expect(lost(conversation.handle(.received(Array(repeating: 32, count: 200)))) == nil)
    #expect(lost(conversation.handle(.received([32])))?.contains("more than 200 bytes") == true)
    // A complete line can be too long too.
    conversation = PushConversation(Self.configuration) { .max }
    goLive()
    let long = Array(#"{"type":"heartbeat","cursor":0}"#.utf8) + Array(repeating: UInt8(ascii: " "), count: 200) + [10]
    #expect(lost(conversation.handle(.received(long)))?.contains("more than 200 bytes") == true)
  }

  @Test("a new connection discards an incomplete line and requests a gap again") mutating func reconnect() {
    goLive()
    #expect(sent(receive(push(2))) == [.replay(after: 0)])
    _ = conversation.handle(.received(Array(#"{"type":"pu"#.utf8)))
    _ = conversation.handle(.ended("reset"))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    #expect(
      lost(receive(#"{"type":"welcome","stream":"s","after":0,"cursor":3}"#)) == nil && conversation.phase == .live)
    #expect(sent(receive(push(3))) == [.replay(after: 0)])
  }

  @Test("bytes, ends and timers of an ended connection are ignored") mutating func late() {
    goLive()
    _ = conversation.handle(.ended("reset"))
    let waiting = conversation.phase
    for event: PushConversation.Event in [
      .received(Array((push(9) + "\n").utf8)), .ended("again"), .fired(.silence), .fired(.heartbeat), .fired(.connect),
      .connected(token: "x"), .tokenRefreshed(true), .start,
    ] {
      #expect(conversation.handle(event).isEmpty, "\(event)")
    }
    #expect(conversation.phase == waiting)
  }

  @Test("a stopped client ignores all events") mutating func stopped() {
    goLive()
    let effects = conversation.handle(.stop)
    #expect(effects.contains(.disconnect))
    #expect(PushConversation.Timer.allCases.allSatisfy { effects.contains(.stop($0)) })
    for event: PushConversation.Event in [.start, .fired(.retry), .tokenRefreshed(true), .stop, .ended("x")] {
      #expect(conversation.handle(event).isEmpty)
    }
  }

  @Test("a new epoch of the server resets the position") mutating func newEpoch() {
    goLive()
    _ = receive(push(1), push(2))
    _ = conversation.handle(.ended("restarted"))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    #expect(delivered(receive(#"{"type":"welcome","stream":"t","after":0,"cursor":1}"#, push(1, order: "8"))) == [1])
  }
}

@Suite("Push position") struct PushPositionTests {
  @Test("the maximum cursor does not overflow") func largest() {
    var position = PushPosition()
    position.begin("s", after: .max - 1)
    #expect(position.take(.max) == .new)
    #expect(position.take(.max) == .repeated && position.take(0) == .repeated)
    #expect(position.complete == .max)
    position.begin("t", after: .max)
    #expect(position.take(.max) == .repeated)
  }

  @Test("the number of stored early cursors has a limit") func bounded() {
    var position = PushPosition()
    position.begin("s", after: 0)
    for cursor in stride(from: UInt64(2), to: 20_000, by: 2) { #expect(position.take(cursor) == .new) }
    #expect(position.complete > 20_000 - 2 * 1_100)
    #expect(position.hasGap)
  }

  @Test("repeated pushes in any order are new once", arguments: UInt64(0)..<20) func anyOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var position = PushPosition()
    position.begin("s", after: 0)
    let pushes = (Array(UInt64(1)...50) + Array(UInt64(1)...50)).shuffled(using: &generator)
    let taken = pushes.filter { position.take($0) == .new }
    #expect(taken.sorted() == Array(UInt64(1)...50) && position.complete == 50 && !position.hasGap)
  }
}
