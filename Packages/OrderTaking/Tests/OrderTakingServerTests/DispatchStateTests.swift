import OrderTaking
import OrderTakingClients
import Testing

@testable import OrderTakingDispatch

@Suite("The dispatch state") struct DispatchStateTests {
  let key = IdempotencyKey(high: 1, low: 2)
  let other = IdempotencyKey(high: 3, low: 4)
  var state = DispatchState(
    [
      OfferedOrder("7", details: #"{"stops":2}"#), OfferedOrder("8", decidedAfter: .seconds(3)),
      OfferedOrder("9", verdict: .decline(reason: "order_cancelled")),
    ], tokens: ["a": "ann", "b": "bob"], keyLifetime: .seconds(3_600))

  func put(_ order: OrderID, key: IdempotencyKey?, body: String = "") -> OrderRequest {
    .take(order: order, key: key?.description, body: Array(body.utf8))
  }

  @Test("names that differ only in their Unicode form are different orders and different drivers")
  func canonicallyEqualNames() {
    let (composed, decomposed): (Name, Name) = ("\u{E9}", "e\u{301}")
    var state = DispatchState(
      [OfferedOrder(composed), OfferedOrder(decomposed)], tokens: ["c": composed, "d": decomposed])
    #expect(state.orders.count == 2)
    #expect(state.handle(put(composed, key: key), token: "c", at: .zero).response.status == 200)
    #expect(state[decomposed]?.taking == nil)
    #expect(state.handle(.details(order: composed), token: "d", at: .zero).response.status == 403)
    #expect(state.handle(.taking(order: composed), token: "d", at: .zero).response.status == 404)
    #expect(state.pushes(to: decomposed, after: 0).isEmpty)
    // The other driver has its own keys.
    #expect(state.handle(put(decomposed, key: key), token: "d", at: .zero).response.status == 200)
    let stored = DispatchState(tokens: state.tokens, stored: Array(state.orders.values))
    #expect(stored[composed]?.taking?.driver == composed && stored[decomposed]?.taking?.driver == decomposed)
  }

  @Test("tokens are compared by bytes") func tokens() {
    var tokens: DriverTokens = ["\u{E9}": "ann", "e\u{301}": "bob"]
    #expect(tokens.driver(of: "\u{E9}") == "ann" && tokens.driver(of: "e\u{301}") == "bob")
    tokens.remove("\u{E9}")
    #expect(tokens.driver(of: "\u{E9}") == nil && tokens.driver(of: nil) == nil && tokens.driver(of: "") == nil)
  }

  @Test("a repeated PUT has the current result of the first one, and no other push") mutating func again() {
    let first = state.handle(put("7", key: key, body: "{}"), token: "a", at: .zero)
    let second = state.handle(put("7", key: key, body: "{}"), token: "a", at: .seconds(3_600))
    #expect(second.response == first.response && second.change == nil)
    #expect(state.lastCursor(of: "ann") == 1)
  }

  @Test("an order whose decision takes time is processing, and is decided once") mutating func processing() throws {
    let reply = state.handle(put("8", key: key), token: "a", at: .seconds(10))
    #expect(reply.response == OrderResponse(202, body: #"{"result":"processing"}"#))
    #expect(reply.change?.push == nil && reply.change?.taking?.dueAt == .seconds(13))
    #expect(state.handle(put("8", key: key), token: "a", at: .seconds(11)).response.status == 202)
    #expect(state.handle(.taking(order: "8"), token: "a", at: .seconds(11)).response.status == 202)
    let decided = try #require(state.decide("8"))
    state.apply(decided)
    #expect(state.decide("8") == nil && state.undecided(at: .zero).isEmpty)
    #expect(state.handle(.taking(order: "8"), token: "a", at: .zero).response.body == #"{"result":"accepted"}"#)
    #expect(state.handle(put("8", key: key), token: "a", at: .seconds(11)).response.status == 200)
  }

  @Test(
    "a restart does not start a decision again, and a clock that was set back does not delay it",
    arguments: [(10, 3), (12, 1), (13, 0), (99, 0), (0, 3), (-3_600, 3)])
  func undecided(now: Int, delay: Int) {
    var state = state
    _ = state.handle(put("8", key: key), token: "a", at: .seconds(10))
    let restarted = DispatchState(stored: Array(state.orders.values))
    let undecided = restarted.undecided(at: .seconds(now))
    #expect(undecided.map(\.order) == ["8"] && undecided.map(\.delay) == [.seconds(delay)])
  }

  @Test("an order is never given twice", arguments: ["7", "8"] as [OrderID]) mutating func once(order: OrderID) {
    _ = state.handle(put(order, key: key), token: "a", at: .zero)
    let taken = OrderResponse(422, body: #"{"problem":"declined","reason":"already_taken"}"#)
    #expect(state.handle(put(order, key: key), token: "b", at: .zero).response == taken)
    #expect(state.handle(put(order, key: other), token: "a", at: .zero).response == taken)
    // A driver without the key can still read the result.
    #expect(state.handle(.taking(order: order), token: "a", at: .zero).response.status < 300)
    #expect(state.handle(.taking(order: order), token: "b", at: .zero).response.status == 404)
    #expect(state[order]?.taking?.driver == "ann")
  }

  @Test("after the lifetime of a key PUT gets 410, and GET returns the result") mutating func expiry() {
    _ = state.handle(put("7", key: key), token: "a", at: .seconds(100))
    let late = Duration.seconds(100 + 3_601)
    let response = state.handle(put("7", key: key), token: "a", at: late).response
    #expect(response.status == 410 && response.body.contains(#""problem":"idempotency_key_expired""#))
    #expect(state.handle(.taking(order: "7"), token: "a", at: late).response.body == #"{"result":"accepted"}"#)
    // A clock that moves back expires no key.
    #expect(state.handle(put("7", key: key), token: "a", at: .zero).response.status == 200)
  }

  @Test("every request without a known token gets 401 and changes nothing", arguments: [nil, "", "c", "ann"])
  mutating func unauthorized(token: String?) {
    let before = state
    for request in [
      put("7", key: key), .taking(order: "7"), .details(order: "7"), .open(after: nil), .taking(order: "nope"),
    ] {
      #expect(state.handle(request, token: token, at: .zero).response.status == 401)
    }
    #expect(state == before)
  }

  @Test("only the driver of an accepted order can read its details") mutating func details() {
    #expect(state.handle(.details(order: "7"), token: "a", at: .zero).response.status == 403)
    _ = state.handle(put("7", key: key), token: "a", at: .zero)
    _ = state.handle(put("8", key: other), token: "a", at: .zero)
    #expect(state.handle(.details(order: "7"), token: "a", at: .zero).response.status == 200)
    #expect(state.handle(.details(order: "7"), token: "b", at: .zero).response.status == 403)
    #expect(state.handle(.details(order: "8"), token: "a", at: .zero).response.status == 403, "it is not decided")
  }

  @Test("the list of open orders has pages of 100 orders, sorted by bytes") func list() {
    var state = DispatchState((100..<250).map { OfferedOrder(OrderID($0)) }, tokens: ["a": "ann"])
    func open(_ after: OrderID?) -> String {
      state.reply(to: .open(after: after), token: "a", at: .zero).response.body
    }
    #expect(open(nil).hasPrefix(#"{"next":"199","orders":["100","#))
    #expect(open("248") == #"{"orders":["249"]}"# && open("249") == #"{"orders":[]}"#)
    _ = state.handle(put("249", key: key), token: "a", at: .zero)
    #expect(open("248") == #"{"orders":[]}"#)
  }

  @Test("the pushes to a driver have numbers without gaps, also after a restart") func history() {
    let names: [OrderID] = ["o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9"]
    var state = DispatchState(names.map { OfferedOrder($0) }, tokens: ["a": "ann", "b": "bob"])
    for (index, name) in names.enumerated() {
      let key = IdempotencyKey(high: 0, low: UInt64(index))
      _ = state.handle(put(name, key: key), token: index % 2 == 0 ? "a" : "b", at: .zero)
    }
    for state in [state, DispatchState(stored: Array(state.orders.values))] {
      #expect(state.lastCursor(of: "ann") == 5 && state.lastCursor(of: "eve") == 0)
      #expect(state.pushes(to: "ann", after: 0).map(\.cursor) == [1, 2, 3, 4, 5])
      #expect(state.pushes(to: "ann", after: 3).map(\.order) == ["o6", "o8"])
      for beyond in [5, 6, UInt64.max] { #expect(state.pushes(to: "ann", after: beyond).isEmpty) }
    }
  }
}
