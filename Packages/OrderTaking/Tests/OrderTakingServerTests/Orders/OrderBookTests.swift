import OrderTaking
import OrderTakingServer
import Testing

@Suite("The order book") struct OrderBookTests {
  let key = IdempotencyKey(high: 1, low: 2)
  let other = IdempotencyKey(high: 3, low: 4)
  var book = OrderBook(
    [
      OfferedOrder("7", details: #"{"stops":2}"#), OfferedOrder("8", decidedAfter: .seconds(3)),
      OfferedOrder("9", verdict: .decline(reason: "order_cancelled")),
    ], credentials: ["a": "ann", "b": "bob"], keyLifetime: .seconds(3_600))

  func put(_ order: String, key: IdempotencyKey?, digest: String? = nil, body: String = "") -> OrderRequest {
    .take(order: order, key: key?.description, digest: digest, body: Array(body.utf8))
  }

  @Test("gives an order to the first who asks, at once, and pushes it") mutating func first() {
    let reply = book.handle(put("7", key: key), token: "a", at: .zero)
    #expect(reply.response == OrderResponse(200, body: #"{"result":"accepted"}"#))
    #expect(reply.push?.driver == "ann" && reply.push?.cursor == 1 && reply.push?.result == .accepted)
    #expect(reply.push?.key == key)
    #expect(book.handle(.details(order: "7"), token: "a", at: .zero).response.body == #"{"stops":2}"#)
  }

  @Test("tells apart two names that look alike, by their bytes") func canonicallyEqualNames() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var book = OrderBook([OfferedOrder(composed), OfferedOrder(decomposed)], credentials: ["a": "ann"])
    #expect(book.all.count == 2)
    // Decomposed first, by bytes; after each of them the other is listed.
    let page = book.handle(.open(after: decomposed, limit: 10), token: "a", at: .zero).response.body
    #expect(page.utf8.elementsEqual(#"{"orders":["\#(composed)"]}"#.utf8))
    #expect(book.handle(put(composed, key: key), token: "a", at: .zero).response.status == 200)
    #expect(book[decomposed]?.taking == nil && book[composed]?.taking != nil)
    // The key was used for the one, and not for the other.
    #expect(book.handle(put(decomposed, key: key), token: "a", at: .zero).response.status == 422)
  }

  @Test("answers a PUT that comes again as the first, and pushes nothing again") mutating func again() {
    let first = book.handle(put("7", key: key, body: "{}"), token: "a", at: .zero)
    let second = book.handle(put("7", key: key, body: "{}"), token: "a", at: .seconds(3_600))
    #expect(second.response == first.response)
    #expect(second.change == nil && second.push == nil)
    #expect(book.lastCursor(of: "ann") == 1)
  }

  @Test("says that it is processing, and decides once") mutating func processing() throws {
    let reply = book.handle(put("8", key: key), token: "a", at: .zero)
    #expect(reply.response == OrderResponse(202, body: #"{"result":"processing"}"#))
    #expect(reply.decisionDue == .seconds(3) && reply.push == nil)
    #expect(book.undecided.map(\.order) == ["8"])
    #expect(book.handle(put("8", key: key), token: "a", at: .zero).response.status == 202)
    #expect(book.handle(.taking(order: "8"), token: "a", at: .zero).response.status == 202)
    let decided = try #require(book.decide("8"))
    book.apply(decided)
    #expect(book.decide("8") == nil && book.undecided.isEmpty)
    #expect(book.handle(.taking(order: "8"), token: "a", at: .zero).response.body == #"{"result":"accepted"}"#)
  }

  @Test("declines in an error to PUT, and in a result to GET") mutating func declined() {
    #expect(
      book.handle(put("9", key: key), token: "a", at: .zero).response
        == OrderResponse(422, body: #"{"decline_reason":"order_cancelled"}"#))
    #expect(
      book.handle(.taking(order: "9"), token: "a", at: .zero).response
        == OrderResponse(200, body: #"{"reason":"order_cancelled","result":"declined"}"#))
    // Whoever comes later gets the same reason, and no push.
    let late = book.handle(put("9", key: other), token: "b", at: .zero)
    #expect(late.response.body == #"{"decline_reason":"order_cancelled"}"# && late.push == nil)
  }

  @Test("never gives an order twice", arguments: ["7", "8"]) mutating func once(order: String) {
    _ = book.handle(put(order, key: key), token: "a", at: .zero)
    let taken = OrderResponse(422, body: #"{"decline_reason":"already_taken"}"#)
    #expect(book.handle(put(order, key: key), token: "b", at: .zero).response == taken)
    #expect(book.handle(put(order, key: other), token: "a", at: .zero).response == taken)
    // Who has lost the key can still ask.
    #expect(book.handle(.taking(order: order), token: "a", at: .zero).response.status < 300)
    #expect(book.handle(.taking(order: order), token: "b", at: .zero).response.status == 404)
    #expect(book[order]?.taking?.driver == "ann")
  }

  @Test("a key that was used with another body or order is refused") mutating func mismatch() {
    _ = book.handle(put("7", key: key, body: "1"), token: "a", at: .zero)
    for request in [put("7", key: key, body: "2"), put("8", key: key, body: "1")] {
      let response = book.handle(request, token: "a", at: .zero).response
      #expect(response.status == 422 && response.body.contains(#""error":"idempotency_key_mismatch""#))
    }
    // Another driver may happen to have the same key.
    #expect(book.handle(put("8", key: key, body: "2"), token: "b", at: .zero).response.status == 202)
  }

  @Test("forgets a key after its time, and still tells what came of it") mutating func expiry() {
    _ = book.handle(put("7", key: key), token: "a", at: .seconds(100))
    let late = Duration.seconds(100 + 3_601)
    let response = book.handle(put("7", key: key), token: "a", at: late).response
    #expect(response.status == 410 && response.body.contains(#""error":"idempotency_key_expired""#))
    #expect(book.handle(.taking(order: "7"), token: "a", at: late).response.body == #"{"result":"accepted"}"#)
  }

  @Test("a clock that moves back expires no key") mutating func clock() {
    _ = book.handle(put("7", key: key), token: "a", at: .seconds(100_000))
    #expect(book.handle(put("7", key: key), token: "a", at: .zero).response.status == 200)
  }

  @Test("wants a key of 32 digits", arguments: [nil, "", "7", "0000000000000001000000000000000g"])
  mutating func noKey(key: String?) {
    let response = book.handle(.take(order: "7", key: key, digest: nil, body: []), token: "a", at: .zero).response
    #expect(response.status == 400 && response.body.contains("idempotency_key_required"))
    #expect(book["7"]?.taking == nil)
  }

  @Test("wants the digest of the body that arrived, when there is one") mutating func digest() {
    let wrong = book.handle(put("7", key: key, digest: "sha-256=:AAAA:", body: "{}"), token: "a", at: .zero)
    #expect(wrong.response.status == 400 && wrong.change == nil)
    let right = "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:"
    #expect(book.handle(put("7", key: key, digest: right, body: "{}"), token: "a", at: .zero).response.status == 200)
  }

  @Test("tells nobody anything who has no known token", arguments: [nil, "", "c", "ann"])
  mutating func unauthorized(token: String?) {
    let before = book
    for request in [
      put("7", key: key), .taking(order: "7"), .details(order: "7"), .open(after: nil, limit: 10),
      .taking(order: "nope"),
    ] {
      #expect(book.handle(request, token: token, at: .zero).response.status == 401)
    }
    #expect(book == before)
  }

  @Test("only the driver of an order can read its details") mutating func details() {
    #expect(book.handle(.details(order: "7"), token: "a", at: .zero).response.status == 403)
    _ = book.handle(put("7", key: key), token: "a", at: .zero)
    _ = book.handle(put("8", key: other), token: "a", at: .zero)
    #expect(book.handle(.details(order: "7"), token: "a", at: .zero).response.status == 200)
    #expect(book.handle(.details(order: "7"), token: "b", at: .zero).response.status == 403)
    #expect(book.handle(.details(order: "8"), token: "a", at: .zero).response.status == 403, "not decided yet")
  }

  @Test("does not know other orders", arguments: ["", "70", "tour 7"]) mutating func unknown(order: String) {
    for request in [put(order, key: key), .taking(order: order), .details(order: order)] {
      #expect(book.handle(request, token: "a", at: .zero).response.status == 404)
    }
  }

  @Test("lists what is open, in pages") mutating func list() {
    func open(_ after: String?, _ limit: Int) -> String {
      book.handling(.open(after: after, limit: limit), token: "a", at: .zero).1.response.body
    }
    #expect(open(nil, 2) == #"{"next":"8","orders":["7","8"]}"#)
    #expect(open("8", 2) == #"{"orders":["9"]}"#)
    #expect(open("9", 2) == #"{"orders":[]}"#)
    for limit in [0, -1, .min] { #expect(open(nil, limit).contains("invalid_limit")) }
    _ = book.handle(put("7", key: key), token: "a", at: .zero)
    #expect(open(nil, .max) == #"{"orders":["8","9"]}"#)
  }

  @Test("never lists more than a hundred at once") func longList() {
    let book = OrderBook((100..<250).map { OfferedOrder("\($0)") }, credentials: ["a": "ann"])
    let reply = book.reply(to: .open(after: nil, limit: .max), token: "a", at: .zero)
    #expect(reply.response.body.hasPrefix(#"{"next":"199","orders":["100","#))
  }

  @Test("counts each driver's pushes without gaps, and keeps the last ones") func history() {
    let names = (0..<10).map { "o\($0)" }
    var book = OrderBook(
      names.map { OfferedOrder($0) }, credentials: ["a": "ann", "b": "bob"], pushHistory: 3)
    for (index, name) in names.enumerated() {
      let key = IdempotencyKey(high: 0, low: UInt64(index))
      _ = book.handle(put(name, key: key), token: index % 2 == 0 ? "a" : "b", at: .zero)
    }
    #expect(book.lastCursor(of: "ann") == 5 && book.lastCursor(of: "bob") == 5 && book.lastCursor(of: "eve") == 0)
    let all = book.pushes(to: "ann", after: 0)
    #expect(all.after == 2 && all.pushes.map(\.cursor) == [3, 4, 5] && all.pushes.map(\.order) == ["o4", "o6", "o8"])
    #expect(book.pushes(to: "ann", after: 4).pushes.map(\.cursor) == [5])
    for beyond in [5, 6, UInt64.max] {
      let none = book.pushes(to: "ann", after: beyond)
      #expect(none.after == 5 && none.pushes.isEmpty)
    }
    #expect(book.pushes(to: "eve", after: .max).pushes.isEmpty)
    // What is known already changes nothing.
    if let known = book["o4"] { book.apply(known) }
    #expect(book.pushes(to: "ann", after: 0).pushes.map(\.cursor) == [3, 4, 5])
  }

  @Test("an order book's description contains no token") func secrets() {
    let book = OrderBook(credentials: ["top secret": "ann"])
    var text = ""
    dump(book, to: &text)
    #expect(!(text + "\(book) \(book.credentials)").contains("top secret"))
  }
}
