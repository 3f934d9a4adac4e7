internal import OrderTakingDispatch

/// The rate limits of a server, for each address and for each token, on both channels.
struct RequestLimits {
  private var addresses: RateLimiter?
  private var tokens: RateLimiter?

  init(_ configuration: OrderServer.Configuration) {
    addresses = configuration.addressLimit.map { RateLimiter($0) }
    tokens = configuration.tokenLimit.map { RateLimiter($0) }
  }

  /// Counts a request or a line.
  ///
  /// - Returns: The time until the next one is within both limits, or `nil` if this one is.
  mutating func admit(address: String?, token: String?, at now: Duration) -> Duration? {
    if let address, let wait = addresses?.admit(address, at: now) { return wait }
    return token.flatMap { tokens?.admit($0, at: now) }
  }
}
