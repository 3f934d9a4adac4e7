import OrderTaking
import OrderTakingServer
import Testing

@Suite("The dispatch state") struct DispatchStateTests {
  let key = IdempotencyKey(high: 1, low: 2)
  let other = IdempotencyKey(high: 3, low: 4)
  var state = DispatchState(
    [
      OfferedOrder("7", details: #"{"stops":2}"#), OfferedOrder("8", decidedAfter: .seconds(3)),
      OfferedOrder("9", verdict: .decline(reason: "order_cancelled")),
    ], credentials: ["a": "ann", "b": "bob"], keyLifetime: .seconds(3_600))

  func put(_ order: String, key: IdempotencyKey?, digest: String? = nil, body: String = "") -> OrderRequest {
    .take(order: order, key: key?.description, digest: digest, body: Array(body.utf8))
  }

  @Test("the first driver that requests an order gets it, and a push reports it") mutating func first() {
    let reply = state.handle(put("7", key: key), token: "a", at: .zero)
    #expect(reply.response == OrderResponse(200, body: #"{"result":"accepted"}"#))
    #expect(reply.push?.driver == "ann" && reply.push?.cursor == 1 && reply.push?.result == .accepted)
    #expect(reply.push?.key == key)
    #expect(state.handle(.details(order: "7"), token: "a", at: .zero).response.body == #"{"stops":2}"#)
  }

  @Test("names that differ only in their bytes are different orders") func canonicallyEqualNames() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var state = DispatchState([OfferedOrder(composed), OfferedOrder(decomposed)], credentials: ["a": "ann"])
    #expect(state.all.count == 2)
    // The decomposed name sorts before the composed one.
    let page = state.handle(.open(after: decomposed, limit: 10), token: "a", at: .zero).response.body
    #expect(page.utf8.elementsEqual(#"{"orders":["\#(composed)"]}"#.utf8))
    #expect(state.handle(put(composed, key: key), token: "a", at: .zero).response.status == 200)
    #expect(state[decomposed]?.taking == nil && state[composed]?.taking != nil)
    // The key belongs to the composed name.
    #expect(state.handle(put(decomposed, key: key), token: "a", at: .zero).response.status == 422)
  }

  @Test("a repeated PUT has the response of the first one, without another push") mutating func again() {
    let first = state.handle(put("7", key: key, body: "{}"), token: "a", at: .zero)
    let second = state.handle(put("7", key: key, body: "{}"), token: "a", at: .seconds(3_600))
    #expect(second.response == first.response)
    #expect(second.change == nil && second.push == nil)
    #expect(state.lastCursor(of: "ann") == 1)
  }

  @Test("an order whose decision takes time is processing, and is decided once") mutating func processing() throws {
    let reply = state.handle(put("8", key: key), token: "a", at: .zero)
    #expect(reply.response == OrderResponse(202, body: #"{"result":"processing"}"#))
    #expect(reply.decisionDue == .seconds(3) && reply.push == nil)
    #expect(state.undecided.map(\.order) == ["8"])
    #expect(state.handle(put("8", key: key), token: "a", at: .zero).response.status == 202)
    #expect(state.handle(.taking(order: "8"), token: "a", at: .zero).response.status == 202)
    let decided = try #require(state.decide("8"))
    state.apply(decided)
    #expect(state.decide("8") == nil && state.undecided.isEmpty)
    #expect(state.handle(.taking(order: "8"), token: "a", at: .zero).response.body == #"{"result":"accepted"}"#)
  }

  @Test("a decline is an error in response to PUT and a result in response to GET") mutating func declined() {
    #expect(
      state.handle(put("9", key: key), token: "a", at: .zero).response
        == OrderResponse(422, body: #"{"decline_reason":"order_cancelled"}"#))
    #expect(
      state.handle(.taking(order: "9"), token: "a", at: .zero).response
        == OrderResponse(200, body: #"{"reason":"order_cancelled","result":"declined"}"#))
    // A later driver gets the same reason, and no push.
    let late = state.handle(put("9", key: other), token: "b", at: .zero)
    #expect(late.response.body == #"{"decline_reason":"order_cancelled"}"# && late.push == nil)
  }

  @Test("an order is never given twice", arguments: ["7", "8"]) mutating func once(order: String) {
    _ = state.handle(put(order, key: key), token: "a", at: .zero)
    let taken = OrderResponse(422, body: #"{"decline_reason":"already_taken"}"#)
    #expect(state.handle(put(order, key: key), token: "b", at: .zero).response == taken)
    #expect(state.handle(put(order, key: other), token: "a", at: .zero).response == taken)
    // A driver without the key can still read the result.
    #expect(state.handle(.taking(order: order), token: "a", at: .zero).response.status < 300)
    #expect(state.handle(.taking(order: order), token: "b", at: .zero).response.status == 404)
    #expect(state[order]?.taking?.driver == "ann")
  }

  @Test("a key that was used with another body or order is refused") mutating func mismatch() {
    _ = state.handle(put("7", key: key, body: "1"), token: "a", at: .zero)
    for request in [put("7", key: key, body: "2"), put("8", key: key, body: "1")] {
      let response = state.handle(request, token: "a", at: .zero).response
      #expect(response.status == 422 && response.body.contains(#""error":"idempotency_key_mismatch""#))
    }
    // Another driver can have the same key.
    #expect(state.handle(put("8", key: key, body: "2"), token: "b", at: .zero).response.status == 202)
  }

  @Test("after the lifetime of a key PUT gets 410, and GET returns the result") mutating func expiry() {
    _ = state.handle(put("7", key: key), token: "a", at: .seconds(100))
    let late = Duration.seconds(100 + 3_601)
    let response = state.handle(put("7", key: key), token: "a", at: late).response
    #expect(response.status == 410 && response.body.contains(#""error":"idempotency_key_expired""#))
    #expect(state.handle(.taking(order: "7"), token: "a", at: late).response.body == #"{"result":"accepted"}"#)
  }

  @Test("a clock that moves back expires no key") mutating func clock() {
    _ = state.handle(put("7", key: key), token: "a", at: .seconds(100_000))
    #expect(state.handle(put("7", key: key), token: "a", at: .zero).response.status == 200)
  }

  @Test("a key must have 32 hexadecimal digits", arguments: [nil, "", "7", "0000000000000001000000000000000g"])
  mutating func noKey(key: String?) {
    let response = state.handle(.take(order: "7", key: key, digest: nil, body: []), token: "a", at: .zero).response
    #expect(response.status == 400 && response.body.contains("idempotency_key_required"))
    #expect(state["7"]?.taking == nil)
  }

  @Test("a digest must match the body") mutating func digest() {
    let wrong = state.handle(put("7", key: key, digest: "sha-256=:AAAA:", body: "{}"), token: "a", at: .zero)
    #expect(wrong.response.status == 400 && wrong.change == nil)
    let right = "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:"
    #expect(state.handle(put("7", key: key, digest: right, body: "{}"), token: "a", at: .zero).response.status == 200)
  }

  @Test("every request without a known token gets 401 and changes nothing", arguments: [nil, "", "c", "ann"])
  mutating func unauthorized(token: String?) {
    let before = state
    for request in [
      put("7", key: key), .taking(order: "7"), .details(order: "7"), .open(after: nil, limit: 10),
      .taking(order: "nope"),
    ] {
      #expect(state.handle(request, token: token, at: .zero).response.status == 401)
    }
    #expect(state == before)
  }

  @Test("only the driver of an order can read its details") mutating func details() {
    #expect(state.handle(.details(order: "7"), token: "a", at: .zero).response.status == 403)
    _ = state.handle(put("7", key: key), token: "a", at: .zero)
    _ = state.handle(put("8", key: other), token: "a", at: .zero)
    #expect(state.handle(.details(order: "7"), token: "a", at: .zero).response.status == 200)
    #expect(state.handle(.details(order: "7"), token: "b", at: .zero).response.status == 403)
    #expect(
      state.handle(.details(order: "8"), token: "a", at: .zero).response.status == 403, "the order is not decided")
  }

  @Test("a request for an unknown order gets 404", arguments: ["", "70", "tour 7"]) mutating func unknown(order: String)
  {
    for request in [put(order, key: key), .taking(order: order), .details(order: order)] {
      #expect(state.handle(request, token: "a", at: .zero).response.status == 404)
    }
  }

  @Test("the list of open orders has pages") mutating func list() {
    func open(_ after: String?, _ limit: Int) -> String {
      state.handling(.open(after: after, limit: limit), token: "a", at: .zero).1.response.body
    }
    #expect(open(nil, 2) == #"{"next":"8","orders":["7","8"]}"#)
    #expect(open("8", 2) == #"{"orders":["9"]}"#)
    #expect(open("9", 2) == #"{"orders":[]}"#)
    for limit in [0, -1, .min] { #expect(open(nil, limit).contains("invalid_limit")) }
    _ = state.handle(put("7", key: key), token: "a", at: .zero)
    #expect(open(nil, .max) == #"{"orders":["8","9"]}"#)
  }

  @Test("a page of the list has at most 100 orders") func longList() {
    let state = DispatchState((100..<250).map { OfferedOrder("\($0)") }, credentials: ["a": "ann"])
    let reply = state.reply(to: .open(after: nil, limit: .max), token: "a", at: .zero)
    #expect(reply.response.body.hasPrefix(#"{"next":"199","orders":["100","#))
  }

  @Test("the pushes to a driver have numbers without gaps, and the latest ones are stored") func history() {
    let names = (0..<10).map { "o\($0)" }
    var state = DispatchState(
      names.map { OfferedOrder($0) }, credentials: ["a": "ann", "b": "bob"], pushHistory: 3)
    for (index, name) in names.enumerated() {
      let key = IdempotencyKey(high: 0, low: UInt64(index))
      _ = state.handle(put(name, key: key), token: index % 2 == 0 ? "a" : "b", at: .zero)
    }
    #expect(state.lastCursor(of: "ann") == 5 && state.lastCursor(of: "bob") == 5 && state.lastCursor(of: "eve") == 0)
    let all = state.pushes(to: "ann", after: 0)
    #expect(all.after == 2 && all.pushes.map(\.cursor) == [3, 4, 5] && all.pushes.map(\.order) == ["o4", "o6", "o8"])
    #expect(state.pushes(to: "ann", after: 4).pushes.map(\.cursor) == [5])
    for beyond in [5, 6, UInt64.max] {
      let none = state.pushes(to: "ann", after: beyond)
      #expect(none.after == 5 && none.pushes.isEmpty)
    }
    #expect(state.pushes(to: "eve", after: .max).pushes.isEmpty)
    // Applying a known entry changes nothing.
    if let known = state["o4"] { state.apply(known) }
    #expect(state.pushes(to: "ann", after: 0).pushes.map(\.cursor) == [3, 4, 5])
  }

  @Test("the description of the dispatch state contains no token") func secrets() {
    let state = DispatchState(credentials: ["top secret": "ann"])
    var text = ""
    dump(state, to: &text)
    #expect(!(text + "\(state) \(state.credentials)").contains("top secret"))
  }
}
