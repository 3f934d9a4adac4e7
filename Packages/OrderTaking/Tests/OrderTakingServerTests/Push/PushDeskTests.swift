import OrderTaking
import Testing

@testable import OrderTakingServer

@Suite("The push desk") struct PushDeskTests {
  var desk = PushDesk(stream: "s", silenceTimeout: .seconds(40))
  var book = OrderBook(
    (1...3).map { OfferedOrder("\($0)") }, credentials: ["a": "ann", "b": "bob"])

  init() {
    for order in 1...2 { take("\(order)", token: "a") }
  }

  @discardableResult
  mutating func take(_ order: String, token: String) -> OrderPush? {
    let key = IdempotencyKey(high: 0, low: UInt64(order) ?? 0)
    return book.handle(.take(order: order, key: key.description, digest: nil, body: []), token: token, at: .zero).push
  }

  mutating func say(_ line: String, on connection: Int = 1, at now: Duration = .zero) -> [PushDesk.Effect] {
    desk.handle(.received(connection, Array(line.utf8)), book, at: now)
  }

  mutating func connect(_ connection: Int = 1) { _ = desk.handle(.connected(connection), book, at: .zero) }

  /// The cursors of the pushes among effects.
  func cursors(_ effects: [PushDesk.Effect]) -> [UInt64] {
    effects.compactMap { if case .send(_, .push(let push)) = $0 { push.cursor } else { nil } }
  }

  @Test("welcomes who has a token, and replays what came after the cursor") mutating func subscribe() {
    connect()
    let effects = say(#"{"type":"subscribe","token":"a","stream":"s","after":1}"#)
    #expect(effects.first == .send(1, .welcome(stream: "s", after: 1, cursor: 2)))
    #expect(cursors(effects) == [2])
    connect(2)
    #expect(cursors(say(#"{"type":"subscribe","token":"a"}"#, on: 2)) == [1, 2])
    connect(3)
    #expect(cursors(say(#"{"type":"subscribe","token":"a","stream":"old","after":2}"#, on: 3)) == [1, 2])
    connect(4)
    #expect(
      say(#"{"type":"subscribe","token":"b","stream":"s","after":18446744073709551615}"#, on: 4)
        == [.send(4, .welcome(stream: "s", after: 0, cursor: 0))])
  }

  @Test("sends a decision to every connection of its driver, and to nobody else") mutating func decided() throws {
    for (connection, token) in [(1, "a"), (2, "b"), (3, "a")] {
      connect(connection)
      _ = say(#"{"type":"subscribe","token":"\#(token)"}"#, on: connection)
    }
    connect(4)
    let push = try #require(take("3", token: "a"))
    #expect(desk.handle(.decided(push), book, at: .zero) == [.send(1, .push(push)), .send(3, .push(push))])
  }

  @Test("tells nothing to who has no known token", arguments: [#""c""#, #""""#])
  mutating func unauthorized(token: String) {
    connect()
    #expect(
      say(#"{"type":"subscribe","token":\#(token)}"#) == [.send(1, .goodbye(reason: .unauthorized)), .close(1)])
    #expect(say(#"{"type":"subscribe","token":"a"}"#).isEmpty, "the connection is over")
  }

  @Test(
    "says goodbye to what is not of the protocol",
    arguments: [
      "", "{}", "null", "subscribe", #"{"type":"subscribe"}"#, #"{"type":"heartbeat"}"#,
      #"{"type":"replay","after":0}"#,
      #"{"type":"subscribe","token":7}"#, #"{"type":"subscribe","token":"a","after":-1}"#,
      #"{"type":"subscribe","token":"a","after":1e99}"#, "\u{0}\u{1}", String(repeating: "[", count: 4_000),
    ])
  mutating func malformed(line: String) {
    connect()
    #expect(say(line) == [.send(1, .goodbye(reason: .malformed)), .close(1)])
  }

  @Test("replays on request, to the driver of the connection alone") mutating func replay() {
    connect()
    _ = say(#"{"type":"subscribe","token":"b"}"#)
    #expect(cursors(say(#"{"type":"replay","after":0}"#)).isEmpty)
    connect(2)
    _ = say(#"{"type":"subscribe","token":"a","stream":"s","after":2}"#, on: 2)
    #expect(cursors(say(#"{"type":"replay","after":0}"#, on: 2)) == [1, 2])
    #expect(
      say(#"{"type":"subscribe","token":"b"}"#, on: 2) == [.send(2, .goodbye(reason: .malformed)), .close(2)],
      "nobody becomes somebody else")
  }

  @Test("sends heartbeats with the last cursor, and gives up who is silent") mutating func heartbeats() {
    connect()
    _ = say(#"{"type":"subscribe","token":"a"}"#)
    connect(2)
    #expect(desk.handle(.tick, book, at: .seconds(40)) == [.send(1, .heartbeat(cursor: 2))])
    #expect(say(#"{"type":"heartbeat"}"#, at: .seconds(41)).isEmpty)
    #expect(
      desk.handle(.tick, book, at: .seconds(60)) == [
        .send(1, .heartbeat(cursor: 2)), .send(2, .goodbye(reason: .silent)), .close(2),
      ])
    #expect(desk.handle(.tick, book, at: .zero) == [.send(1, .heartbeat(cursor: 2))], "a clock that is turned back")
    #expect(desk.handle(.tick, book, at: .seconds(82)) == [.send(1, .goodbye(reason: .silent)), .close(1)])
    #expect(desk.count == 0)
  }

  @Test("says goodbye when the server stops, and forgets who has gone") mutating func end() {
    connect()
    connect(2)
    #expect(desk.handle(.closed(2), book, at: .zero).isEmpty)
    #expect(desk.handle(.stopping, book, at: .zero) == [.send(1, .goodbye(reason: .stopping)), .close(1)])
    #expect(desk.count == 0)
  }

  @Test("writes lines as the protocol has them") func lines() {
    let taking = OrderBook.Taking(
      driver: "ann", key: IdempotencyKey(high: 1, low: 2), bodyHash: BodyHash(of: []), begunAt: .zero,
      answer: .declined("no \"luck\"\n"), cursor: 3)
    let push = OrderPush(OrderBook.Entry(OfferedOrder("7"), taking: taking))
    #expect(
      push.map { ServerLine.push($0).text }
        == #"{"cursor":3,"key":"00000000000000010000000000000002","order":"7","reason":"no \"luck\"\n","#
        + #""result":"declined","type":"push"}"#)
    #expect(
      ServerLine.welcome(stream: "s", after: 1, cursor: 2).text
        == #"{"after":1,"cursor":2,"stream":"s","type":"welcome"}"#)
    #expect(ServerLine.heartbeat(cursor: .max).text == #"{"cursor":18446744073709551615,"type":"heartbeat"}"#)
    #expect(ServerLine.goodbye(reason: .stopping).text == #"{"reason":"stopping","type":"goodbye"}"#)
  }
}
