import OrderTaking
import OrderTakingServer
import Testing

@Suite("The rights of a token") struct RightsTests {
  var state = DispatchState([OfferedOrder("7")], credentials: ["a": "ann"])
  let put = OrderRequest.take(
    order: "7", key: IdempotencyKey(high: 0, low: 1).description, digest: nil, body: [])
  let reads = [OrderRequest.taking(order: "7"), .details(order: "7"), .open(after: nil, limit: 1)]

  init() {
    state.credentials.add("reader", for: Authorization(driver: "bob", scopes: [.readOrders]))
    state.credentials.add("taker", for: Authorization(driver: "bob", scopes: [.takeOrders]))
    state.credentials.add("short", for: Authorization(driver: "bob", expiresAt: .seconds(100)))
  }

  func status(_ request: OrderRequest, _ token: String?, at now: Duration = .zero) -> Int {
    state.reply(to: request, token: token, at: now).response.status
  }

  @Test("a token without the scope to take orders takes nothing") func cannotTake() {
    let reply = state.reply(to: put, token: "reader", at: .zero)
    #expect(reply.response.status == 403 && reply.response.body.contains("insufficient_scope"))
    #expect(reply.response.body.contains("take_orders") && reply.change == nil && reply.push == nil)
    #expect(reads.map { status($0, "reader") } == [404, 403, 200])
  }

  @Test("a token without the scope to read orders reads nothing") func cannotRead() {
    for request in reads {
      let reply = state.reply(to: request, token: "taker", at: .zero)
      #expect(reply.response.status == 403 && reply.response.body.contains("read_orders"))
    }
    #expect(status(put, "taker") == 200)
  }

  @Test("a token is valid until it expires, and is then reported as expired and not as unknown") func expiry() {
    #expect(status(put, "short", at: .seconds(100) - .nanoseconds(1)) == 200)
    let reply = state.reply(to: put, token: "short", at: .seconds(100))
    #expect(reply.response.status == 401 && reply.response.body.contains("token_expired"))
    #expect(state.reply(to: put, token: "none", at: .zero).response.body.contains(#""unauthorized""#))
    #expect(status(put, nil) == 401 && status(put, "") == 401)
  }

  @Test("the rights of a token can be replaced") func replacing() {
    var state = state
    state.credentials.add("a", for: Authorization(driver: "ann", expiresAt: .zero))
    #expect(state.reply(to: put, token: "a", at: .zero).response.status == 401)
  }

  @Test("logs identify a token by the beginning of its hash") func tokenID() throws {
    let authorization = try state.credentials.authorization(of: "a", at: .zero)
    #expect(authorization.tokenID == "ca978112ca1b")
    #expect(!"\(state)".contains("reader"))
  }

  @Test("hashes that differ in any bit are different") func comparison() {
    let zero = RequestFingerprint(String(repeating: "0", count: 64))
    for bit in 0..<256 {
      var digits = [Character](repeating: "0", count: 64)
      digits[bit / 4] = ["1", "2", "4", "8"][bit % 4]
      #expect(RequestFingerprint(String(digits)) != zero)
    }
  }
}
