/// The maximum rate of requests.
///
/// ```swift
/// RateLimit(perSecond: 10, burst: 20)  // 20 requests at once, then one each 100 milliseconds
/// ```
public struct RateLimit: Hashable, Sendable {
  /// The number of requests in a second.
  public var perSecond: Double
  /// The number of requests at once after a pause.
  public var burst: Int

  /// Creates a limit.
  ///
  /// Both numbers must be positive; smaller ones count as one.
  public init(perSecond: Double, burst: Int) {
    self.perSecond = perSecond > 0 ? perSecond : 1
    self.burst = max(1, burst)
  }
}

/// Limits the rate of requests of each client, for example of each token or each address.
///
/// It stores one time for each client that has sent a request recently: when all its requests so far would have been due, had it sent
/// them at the maximum rate. This is the generic cell rate algorithm, a token bucket without a counter.
public struct RateLimiter: Hashable, Sendable {
  private let interval: Duration
  private let tolerance: Duration
  private var dueTimes: [String: Duration] = [:]
  /// The number of clients at which those without recent requests are removed.
  private var sweepSize = 1_024

  /// Creates a limiter.
  public init(_ limit: RateLimit) {
    interval = .seconds(1 / limit.perSecond)
    tolerance = interval * limit.burst
  }

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - now: The time on a clock that cannot be set.
  /// - Returns: `nil` if the request is within the limit. Otherwise the time until the next one is; the request does not count.
  public mutating func admit(_ client: String, at now: Duration) -> Duration? {
    let due = max(dueTimes[client] ?? now, now) + interval
    guard due - now <= tolerance else { return due - now - tolerance }
    dueTimes[client] = due
    if dueTimes.count > sweepSize {
      dueTimes = dueTimes.filter { $0.value > now }
      sweepSize = max(1_024, 2 * dueTimes.count)
    }
    return nil
  }

  /// The number of clients with recent requests.
  var clientCount: Int { dueTimes.count }
}
