internal import OrderTakingServer

/// The order server that the command starts when no `--server` is given.
enum EmbeddedServer {
  /// The default bearer token, not a secret because the server listens on this machine only.
  static let token = "driver-1"

  /// The driver of all tokens.
  static let driver = "driver"

  /// Orders with immediate, delayed and declined results.
  static func offers(_ count: Int) -> [OfferedOrder] {
    (1...max(1, count)).map { number in
      let details = #"{"id":"tour-\#(number)","parcels":\#(number % 5 + 1),"from":"Depot \#(number % 3 + 1)"}"#
      var offer = OfferedOrder("tour-\(number)", details: details)
      switch number % 4 {
      case 1: break
      case 2: offer.decidedAfter = .milliseconds(1_500)
      case 3:
        offer.decidedAfter = .milliseconds(700)
        offer.verdict = .decline(reason: "order_cancelled")
      default: offer.decidedAfter = .milliseconds(300)
      }
      return offer
    }
  }

  static func configuration(
    token: String, orders: Int = 12, faults: ServerFaults, seed: UInt64
  ) -> OrderServer.Configuration {
    var configuration = OrderServer.Configuration(
      offers: offers(orders), faults: faults, seed: seed)
    configuration.credentials.add(
      token, for: Authorization(driver: driver, scopes: Set(Authorization.Scope.allCases)))
    // Short, so that the demo soon detects a lost push.
    configuration.heartbeat = .seconds(1)
    return configuration
  }
}
