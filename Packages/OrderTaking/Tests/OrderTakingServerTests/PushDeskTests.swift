import OrderTaking
import OrderTakingClients
import OrderTakingDispatch
import Testing

@testable import OrderTakingServer

@Suite("The push desk") struct PushDeskTests {
  var desk = PushDesk(epoch: "s", silenceTimeout: .seconds(40))
  var orders = DispatchState(
    [OfferedOrder("1"), OfferedOrder("2"), OfferedOrder("3")], tokens: ["a": "ann", "a2": "ann", "b": "bob"])

  init() {
    for order: OrderID in ["1", "2"] { take(order, token: "a") }
  }

  @discardableResult
  mutating func take(_ order: OrderID, token: String) -> ServedOrder? {
    let key = IdempotencyKey(high: 0, low: UInt64(order.text) ?? 0)
    return orders.handle(.take(order: order, key: key.description, body: []), token: token, at: .zero).change
  }

  mutating func receive(_ line: String, on connection: Int = 1, at now: Duration = .zero) -> [PushDesk.Effect] {
    desk.handle(.received(connection, Array(line.utf8)), orders, at: now)
  }

  mutating func connect(_ connection: Int = 1) { _ = desk.handle(.connected(connection), orders, at: .zero) }

  mutating func subscribe(_ connection: Int, token: String) {
    connect(connection)
    _ = receive(#"{"type":"subscribe","token":"\#(token)"}"#, on: connection)
  }

  func cursors(_ effects: [PushDesk.Effect]) -> [UInt64] {
    effects.compactMap { if case .send(_, .push(let push)) = $0 { push.cursor } else { nil } }
  }

  func goodbye(_ connection: Int, _ reason: String) -> [PushDesk.Effect] {
    [.send(connection, .goodbye(reason: reason)), .close(connection)]
  }

  @Test("a client with a token gets a welcome and the pushes after its cursor") mutating func welcome() {
    connect()
    let effects = receive(#"{"type":"subscribe","token":"a","stream":"s","after":1}"#)
    #expect(effects.first == .send(1, .welcome(epoch: "s", after: 1, last: 2)))
    #expect(cursors(effects) == [2])
    connect(2)
    #expect(cursors(receive(#"{"type":"subscribe","token":"a"}"#, on: 2)) == [1, 2])
    connect(3)
    #expect(cursors(receive(#"{"type":"subscribe","token":"a","stream":"old","after":2}"#, on: 3)) == [1, 2])
    connect(4)
    #expect(
      receive(#"{"type":"subscribe","token":"b","stream":"s","after":18446744073709551615}"#, on: 4)
        == [.send(4, .welcome(epoch: "s", after: 0, last: 0))])
  }

  @Test("a decision is sent to every connection of its driver, and to no other") mutating func decided() throws {
    for (connection, token) in [(1, "a"), (2, "b"), (3, "a")] { subscribe(connection, token: token) }
    connect(4)
    let order = try #require(take("3", token: "a"))
    let push = try #require(order.push)
    #expect(desk.handle(.decided(order), orders, at: .zero) == [.send(1, .push(push)), .send(3, .push(push))])
  }

  @Test("a client without a known token gets only a goodbye", arguments: [#""c""#, #""""#])
  mutating func unauthorized(token: String) {
    connect()
    #expect(receive(#"{"type":"subscribe","token":\#(token)}"#) == goodbye(1, "unauthorized"))
    #expect(receive(#"{"type":"subscribe","token":"a"}"#).isEmpty, "the connection is closed")
  }

  @Test("a revoked token ends its connections, and no other") mutating func revoked() {
    for (connection, token) in [(1, "a"), (2, "a2"), (3, "b")] { subscribe(connection, token: token) }
    connect(4)
    orders.tokens.remove("a")
    #expect(desk.handle(.tokensChanged, orders, at: .zero) == goodbye(1, "unauthorized"))
    #expect(desk.handle(.tokensChanged, orders, at: .zero).isEmpty)
  }

  @Test(
    "an invalid line gets a goodbye",
    arguments: [
      "", "{}", "null", "subscribe", #"{"type":"subscribe"}"#, #"{"type":"heartbeat"}"#,
      #"{"type":"replay","after":0}"#, #"{"type":"subscribe","token":7}"#,
      #"{"type":"subscribe","token":"a","after":-1}"#, #"{"type":"subscribe","token":"a","after":1e99}"#,
      "\u{0}\u{1}", String(repeating: "[", count: 4_000),
    ])
  mutating func malformed(line: String) {
    connect()
    #expect(receive(line) == goodbye(1, "malformed"))
  }

  @Test("heartbeats contain the last cursor, and silent connections are closed") mutating func heartbeats() {
    subscribe(1, token: "a")
    connect(2)
    #expect(desk.handle(.tick, orders, at: .seconds(40)) == [.send(1, .heartbeat(cursor: 2))])
    #expect(receive(#"{"type":"heartbeat"}"#, at: .seconds(41)).isEmpty)
    #expect(
      desk.handle(.tick, orders, at: .seconds(60)) == [.send(1, .heartbeat(cursor: 2))] + goodbye(2, "silent"))
    #expect(desk.handle(.tick, orders, at: .seconds(82)) == goodbye(1, "silent"))
    #expect(desk.handle(.tick, orders, at: .seconds(200)).isEmpty)
  }
}
