import OrderTaking
import Testing

@testable import OrderTakingServer

@Suite("The push desk") struct PushDeskTests {
  var desk = PushDesk(epoch: "s", silenceTimeout: .seconds(40))
  var orders = DispatchState(
    (1...3).map { OfferedOrder("\($0)") }, credentials: ["a": "ann", "b": "bob"])

  init() {
    for order in 1...2 { take("\(order)", token: "a") }
  }

  @discardableResult
  mutating func take(_ order: String, token: String) -> OrderPush? {
    let key = IdempotencyKey(high: 0, low: UInt64(order) ?? 0)
    return orders.handle(.take(order: order, key: key.description, digest: nil, body: []), token: token, at: .zero).push
  }

  mutating func receive(_ line: String, on connection: Int = 1, at now: Moment = .seconds(0)) -> [PushDesk.Effect] {
    desk.handle(.received(connection, Array(line.utf8)), orders, at: now)
  }

  mutating func connect(_ connection: Int = 1) { _ = desk.handle(.connected(connection), orders, at: .seconds(0)) }

  func cursors(_ effects: [PushDesk.Effect]) -> [UInt64] {
    effects.compactMap { if case .send(_, .push(let push)) = $0 { push.cursor } else { nil } }
  }

  @Test("a client with a token gets a welcome and the pushes after its cursor") mutating func subscribe() {
    connect()
    let effects = receive(#"{"type":"subscribe","token":"a","stream":"s","after":1}"#)
    #expect(effects.first == .send(1, .welcome(epoch: "s", after: 1, cursor: 2)))
    #expect(cursors(effects) == [2])
    connect(2)
    #expect(cursors(receive(#"{"type":"subscribe","token":"a"}"#, on: 2)) == [1, 2])
    connect(3)
    #expect(cursors(receive(#"{"type":"subscribe","token":"a","stream":"old","after":2}"#, on: 3)) == [1, 2])
    connect(4)
    #expect(
      receive(#"{"type":"subscribe","token":"b","stream":"s","after":18446744073709551615}"#, on: 4)
        == [.send(4, .welcome(epoch: "s", after: 0, cursor: 0))])
  }

  @Test("a decision is sent to every connection of its driver, and to no other") mutating func decided() throws {
    for (connection, token) in [(1, "a"), (2, "b"), (3, "a")] {
      connect(connection)
      _ = receive(#"{"type":"subscribe","token":"\#(token)"}"#, on: connection)
    }
    connect(4)
    let push = try #require(take("3", token: "a"))
    #expect(desk.handle(.decided(push), orders, at: .seconds(0)) == [.send(1, .push(push)), .send(3, .push(push))])
  }

  @Test("a client without a known token gets only a goodbye", arguments: [#""c""#, #""""#])
  mutating func unauthorized(token: String) {
    connect()
    #expect(
      receive(#"{"type":"subscribe","token":\#(token)}"#) == [.send(1, .goodbye(reason: .unauthorized)), .close(1)])
    #expect(receive(#"{"type":"subscribe","token":"a"}"#).isEmpty, "the connection is closed")
  }

  @Test(
    "an invalid line gets a goodbye",
    arguments: [
      "", "{}", "null", "subscribe", #"{"type":"subscribe"}"#, #"{"type":"heartbeat"}"#,
      #"{"type":"replay","after":0}"#,
      #"{"type":"subscribe","token":7}"#, #"{"type":"subscribe","token":"a","after":-1}"#,
      #"{"type":"subscribe","token":"a","after":1e99}"#, "\u{0}\u{1}", String(repeating: "[", count: 4_000),
    ])
  mutating func malformed(line: String) {
    connect()
    #expect(receive(line) == [.send(1, .goodbye(reason: .malformed)), .close(1)])
  }

  @Test("a replay contains only pushes to the driver of the connection") mutating func replay() {
    connect()
    _ = receive(#"{"type":"subscribe","token":"b"}"#)
    #expect(cursors(receive(#"{"type":"replay","after":0}"#)).isEmpty)
    connect(2)
    _ = receive(#"{"type":"subscribe","token":"a","stream":"s","after":2}"#, on: 2)
    #expect(cursors(receive(#"{"type":"replay","after":0}"#, on: 2)) == [1, 2])
    #expect(
      receive(#"{"type":"subscribe","token":"b"}"#, on: 2) == [.send(2, .goodbye(reason: .malformed)), .close(2)],
      "a connection cannot change its driver")
  }

  @Test("heartbeats contain the last cursor, and silent connections are closed") mutating func heartbeats() {
    connect()
    _ = receive(#"{"type":"subscribe","token":"a"}"#)
    connect(2)
    #expect(desk.handle(.tick, orders, at: .seconds(40)) == [.send(1, .heartbeat(cursor: 2))])
    #expect(receive(#"{"type":"heartbeat"}"#, at: .seconds(41)).isEmpty)
    #expect(
      desk.handle(.tick, orders, at: .seconds(60)) == [
        .send(1, .heartbeat(cursor: 2)), .send(2, .goodbye(reason: .silent)), .close(2),
      ])
    #expect(desk.handle(.tick, orders, at: .seconds(82)) == [.send(1, .goodbye(reason: .silent)), .close(1)])
    #expect(desk.count == 0)
  }

  @Test("a stop sends a goodbye to every open connection") mutating func end() {
    connect()
    connect(2)
    #expect(desk.handle(.closed(2), orders, at: .seconds(0)).isEmpty)
    #expect(desk.handle(.stopping, orders, at: .seconds(0)) == [.send(1, .goodbye(reason: .stopping)), .close(1)])
    #expect(desk.count == 0)
  }

  @Test("lines have the form of the protocol") func lines() {
    let taking = DispatchState.Taking(
      driver: "ann", key: IdempotencyKey(high: 1, low: 2), fingerprint: RequestFingerprint(of: []), begunAt: .zero,
      answer: .declined("no \"luck\"\n"), cursor: 3)
    let push = OrderPush(DispatchState.Entry(OfferedOrder("7"), taking: taking))
    #expect(
      push.map { ServerLine.push($0).text }
        == #"{"cursor":3,"key":"00000000000000010000000000000002","order":"7","reason":"no \"luck\"\n","#
        + #""result":"declined","type":"push"}"#)
    #expect(
      ServerLine.welcome(epoch: "s", after: 1, cursor: 2).text
        == #"{"after":1,"cursor":2,"stream":"s","type":"welcome"}"#)
    #expect(ServerLine.heartbeat(cursor: .max).text == #"{"cursor":18446744073709551615,"type":"heartbeat"}"#)
    #expect(ServerLine.goodbye(reason: .stopping).text == #"{"reason":"stopping","type":"goodbye"}"#)
  }

  @Test("a token without the scope to read orders gets only a goodbye") mutating func forbidden() {
    orders.credentials.add("t", for: Authorization(driver: "ann", scopes: [.takeOrders]))
    connect()
    #expect(
      receive(#"{"type":"subscribe","token":"t"}"#) == [.send(1, .goodbye(reason: .forbidden)), .close(1)])
  }

  @Test("a token that expires ends its connection, and gets no push after that") mutating func expiry() throws {
    orders.credentials.add("t", for: Authorization(driver: "ann", expiresAt: .seconds(30)))
    connect()
    connect(2)
    #expect(receive(#"{"type":"subscribe","token":"t"}"#, at: .seconds(29)).count == 3)
    #expect(
      receive(#"{"type":"subscribe","token":"t"}"#, on: 2, at: .seconds(30))
        == [.send(2, .goodbye(reason: .unauthorized)), .close(2)])
    let push = try #require(take("3", token: "a"))
    #expect(desk.handle(.decided(push), orders, at: .seconds(29)) == [.send(1, .push(push))])
    #expect(desk.handle(.decided(push), orders, at: .seconds(30)).isEmpty)
    for line in [#"{"type":"replay","after":0}"#, #"{"type":"heartbeat"}"#] {
      var desk = desk
      #expect(
        desk.handle(.received(1, Array(line.utf8)), orders, at: .seconds(30))
          == [.send(1, .goodbye(reason: .unauthorized)), .close(1)])
    }
    #expect(
      desk.handle(.tick, orders, at: .seconds(30)) == [.send(1, .goodbye(reason: .unauthorized)), .close(1)])
  }
}

extension Moment {
  /// A moment at which both clocks show this number of seconds.
  fileprivate static func seconds(_ count: Int) -> Moment {
    Moment(sinceEpoch: .seconds(count), sinceBoot: .seconds(count))
  }
}
