/// The maximum rate of requests.
///
/// ```swift
/// RateLimit(perSecond: 10, burst: 20)  // 20 requests at once, then one each 100 milliseconds
/// ```
public struct RateLimit: Hashable, Sendable {
  public var perSecond: Double
  /// The number of requests at once after a pause.
  public var burst: Int

  /// A limiter clamps the rate to one request per day up to a billion per second, and the burst to 1 up to a billion.
  public init(perSecond: Double, burst: Int) {
    self.perSecond = perSecond
    self.burst = burst
  }
}

/// For each client, it stores one time: when the next request would be due if all earlier ones had been evenly spaced.
///
/// This is the generic cell rate algorithm, a token bucket without a counter.
package struct RateLimiter: Sendable {
  private let interval: Duration
  private let tolerance: Duration
  private var dueTimes: [String: Duration] = [:]
  /// The number of clients at which those without recent requests are removed.
  private var sweepSize = 1_024

  package init(_ limit: RateLimit) {
    // The order of the arguments turns NaN into the minimum.
    interval = .seconds(1 / min(max(1.0 / 86_400, limit.perSecond), 1e9))
    tolerance = interval * min(max(1, limit.burst), 1_000_000_000)
  }

  package func wait(of client: String, at now: Duration) -> Duration? {
    let due = max(dueTimes[client] ?? now, now) + interval
    return due - now <= tolerance ? nil : due - now - tolerance
  }

  package mutating func count(_ client: String, at now: Duration) {
    dueTimes[client] = max(dueTimes[client] ?? now, now) + interval
    guard dueTimes.count > sweepSize else { return }
    dueTimes = dueTimes.filter { $0.value > now }
    sweepSize = max(1_024, 2 * dueTimes.count)
  }

  var clientCount: Int { dueTimes.count }
}
