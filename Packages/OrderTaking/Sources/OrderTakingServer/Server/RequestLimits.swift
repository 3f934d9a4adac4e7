internal import OrderTakingDispatch

struct RequestLimits {
  private var addresses: RateLimiter?
  private var tokens: RateLimiter?

  init(_ configuration: OrderServer.Configuration) {
    addresses = configuration.addressLimit.map { RateLimiter($0) }
    tokens = configuration.tokenLimit.map { RateLimiter($0) }
  }

  /// All addresses of this machine count as one, because a program of this machine can use any of them.
  ///
  /// - Returns: `nil` if the request is within both limits, otherwise the time to wait. A refused request is not
  ///   counted.
  mutating func admit(address: String?, token: String?, at now: Duration) -> Duration? {
    let address = address.map { $0.hasPrefix("127.") ? "127.0.0.0/8" : $0 }
    let waits = [
      address.flatMap { addresses?.wait(of: $0, at: now) }, token.flatMap { tokens?.wait(of: $0, at: now) },
    ]
    if let wait = waits.compactMap(\.self).max() { return wait }
    if let address { addresses?.count(address, at: now) }
    if let token { tokens?.count(token, at: now) }
    return nil
  }
}
