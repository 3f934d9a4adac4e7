import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingClients

@Suite("The conversation of a push channel") struct PushConversationTests {
  static let configuration: PushConfiguration = {
    var configuration = PushConfiguration()
    configuration.reconnect = .exponential(from: .milliseconds(250), atMost: .seconds(30))
    return configuration
  }()
  /// With the maximum jitter.
  var conversation = PushConversation(configuration) { .max }

  mutating func receive(_ lines: String...) -> [PushConversation.Effect] {
    conversation.handle(.received(Array(lines.map { $0 + "\n" }.joined().utf8)))
  }

  /// The push whose order is named as its cursor.
  func push(_ cursor: UInt64) -> String {
    #"{"type":"push","cursor":\#(cursor),"order":"\#(cursor)","key":"00000000000000010000000000000002","result":"accepted"}"#
  }

  func delivered(_ effects: [PushConversation.Effect]) -> [UInt64] {
    effects.compactMap { if case .deliver(let push) = $0 { UInt64(push.order.text) } else { nil } }
  }

  func sent(_ effects: [PushConversation.Effect]) -> [Wire.ClientLine] {
    effects.compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  func lost(_ effects: [PushConversation.Effect]) -> String? {
    effects.lazy.compactMap { if case .lost(let reason) = $0 { reason } else { nil } }.first
  }

  func retryDelay(_ effects: [PushConversation.Effect]) -> Duration? {
    effects.lazy.compactMap { if case .start(.retry, let delay) = $0 { delay } else { nil } }.first
  }

  mutating func goLive(after cursor: UInt64 = 0) {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "secret"))
    _ = receive(#"{"type":"welcome","stream":"s","after":\#(cursor),"cursor":\#(cursor)}"#)
  }

  @Test("a push whose order is no name is not delivered, and not requested again") mutating func noName() {
    goLive()
    #expect(
      receive(#"{"type":"push","cursor":1,"order":"a\nb","result":"accepted"}"#) == [.start(.silence, .seconds(40))])
    #expect(delivered(receive(push(2))) == [2])
  }

  /// Connects again after the pushes up to 7.
  private mutating func reconnectAfter7() {
    goLive(after: 7)
    _ = conversation.handle(.ended("the connection was lost"))
    _ = conversation.handle(.fired(.retry))
    #expect(
      sent(conversation.handle(.connected(token: "secret"))) == [.subscribe(token: "secret", epoch: "s", after: 7)])
  }

  @Test("a server that has lost pushes, for example after a fail-over, sets a later cursor back")
  mutating func lostPushes() {
    reconnectAfter7()
    let effects = receive(#"{"type":"welcome","stream":"s","after":4,"cursor":4}"#, push(5))
    #expect(delivered(effects) == [5])
    #expect(conversation.complete == 5)
  }

  @Test("a server that sends earlier pushes again, and has lost none, keeps the cursor")
  mutating func earlierPushes() {
    reconnectAfter7()
    for welcome in [
      #"{"type":"welcome","stream":"s","after":0,"cursor":7}"#, #"{"type":"welcome","stream":"s","after":0}"#,
    ] {
      _ = receive(welcome)
      #expect(delivered(receive(push(1), push(7))).isEmpty)
    }
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

  @Test("missing pushes are requested after a gap, and delivered in order") mutating func missing() {
    goLive()
    let gap = receive(push(3))
    #expect(delivered(gap).isEmpty && sent(gap) == [.replay(after: 0)])
    #expect(sent(receive(push(4))).isEmpty, "the gap was requested already")
    let replayed = receive(#"{"type":"welcome","stream":"s","after":0,"cursor":4}"#, push(1), push(2), push(3), push(4))
    #expect(delivered(replayed) == [1, 2, 3, 4])
    #expect(sent(receive(#"{"type":"heartbeat","cursor":4}"#)).isEmpty)
    #expect(sent(receive(#"{"type":"heartbeat","cursor":5}"#)) == [.replay(after: 4)])
    #expect(sent(receive(#"{"type":"heartbeat","cursor":5}"#)) == [.replay(after: 4)], "the replay can be lost too")
    #expect(delivered(receive(#"{"type":"welcome","stream":"s","after":7,"cursor":8}"#, push(8))) == [8])
  }

  @Test("lost, repeated and reordered pushes are delivered once, in order", arguments: UInt64(0)..<20)
  mutating func anyOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    goLive()
    var taken: [UInt64] = []
    for cursor in (Array(UInt64(1)...50) + Array(UInt64(1)...50)).shuffled(using: &generator) {
      let effects = receive(push(cursor))
      taken += delivered(effects)
      guard case .replay(let after)? = sent(effects).first, .random(in: 0..<3, using: &generator) == 0 else { continue }
      _ = receive(#"{"type":"welcome","stream":"s","after":\#(after),"cursor":50}"#)
      for cursor in (after + 1)...50 { taken += delivered(receive(push(cursor))) }
    }
    taken += delivered(receive(#"{"type":"heartbeat","cursor":50}"#))
    for cursor in UInt64(1)...50 { taken += delivered(receive(push(cursor))) }
    #expect(taken == Array(1...50))
  }

  @Test("the largest cursor does not overflow") mutating func largest() {
    goLive(after: .max - 1)
    #expect(delivered(receive(push(.max), push(.max), push(1))) == [.max])
  }

  @Test("a refused token is renewed once, and then the client backs off") mutating func refused() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "stale"))
    let effects = receive(#"{"type":"goodbye","reason":"unauthorized"}"#)
    #expect(effects.contains(.refreshToken) && effects.contains(.disconnect))
    #expect(lost(effects) == "the server refused the token" && retryDelay(effects) == nil)
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

  @Test("a failed refresh of the token backs off, and the next refusal requests another one") mutating func noToken() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: "stale"))
    #expect(receive(#"{"type":"goodbye","reason":"unauthorized"}"#).last == .refreshToken)
    let failed = conversation.handle(.tokenRefreshed(false))
    #expect(lost(failed) == "the server refused the token, and getting a new one failed")
    #expect(retryDelay(failed) == .milliseconds(250))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: "stale"))
    #expect(receive(#"{"type":"goodbye","reason":"unauthorized"}"#).contains(.refreshToken))
    // The back-off also grows when a fresh token is refused.
    _ = conversation.handle(.tokenRefreshed(true))
    _ = conversation.handle(.connected(token: "fresh"))
    #expect(retryDelay(receive(#"{"type":"goodbye","reason":"unauthorized"}"#)) == .milliseconds(500))
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

  @Test("changed bytes in any pieces deliver nothing that the server did not send") func mutated() throws {
    let lines =
      #"{"type":"welcome","stream":"s","after":0,"cursor":2}"# + "\n" + push(1) + "\n" + push(2) + "\n"
      + #"{"type":"heartbeat","cursor":3}"# + "\n" + #"{"type":"goodbye","reason":"unauthorized"}"# + "\n"
    try checkNeverThrows(
      "changed lines", count: 500, .int(in: 0...400), .int(in: 0...255), .int(in: 1...90)
    ) { place, byte, length in
      var bytes = Array(lines.utf8)
      bytes[place % bytes.count] = UInt8(byte)
      var conversation = PushConversation(Self.configuration) { .max }
      var effects = conversation.handle(.start) + conversation.handle(.connected(token: nil))
      for start in stride(from: 0, to: bytes.count, by: length) {
        effects += conversation.handle(.received(Array(bytes[start..<min(bytes.count, start + length)])))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for case .deliver(let push) in effects { #expect(text.contains(#""order":"\#(push.order)""#)) }
      #expect(conversation.phase != .idle && conversation.phase != .stopped)
    }
  }

  @Test("a first message other than a welcome ends the connection") mutating func impatient() {
    _ = conversation.handle(.start)
    _ = conversation.handle(.connected(token: nil))
    #expect(delivered(receive(push(1))).isEmpty && conversation.phase == .waiting)
  }

  @Test("the push client disconnects when a line is too long, and discards it") mutating func endless() {
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
    goLive()
    #expect(lost(conversation.handle(.received(blanks))) == nil)
    #expect(lost(conversation.handle(.received([32])))?.contains("more than 65536 bytes") == true)
    conversation = PushConversation(Self.configuration) { .max }
    goLive()
    let long = Array(#"{"type":"heartbeat","cursor":0}"#.utf8) + blanks + [10]
    #expect(lost(conversation.handle(.received(long)))?.contains("more than 65536 bytes") == true)
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

  @Test("a new epoch of the server resets the position") mutating func newEpoch() {
    goLive()
    _ = receive(push(1), push(2))
    _ = conversation.handle(.ended("restarted"))
    _ = conversation.handle(.fired(.retry))
    _ = conversation.handle(.connected(token: nil))
    #expect(delivered(receive(#"{"type":"welcome","stream":"t","after":0,"cursor":1}"#, push(1))) == [1])
  }
}
