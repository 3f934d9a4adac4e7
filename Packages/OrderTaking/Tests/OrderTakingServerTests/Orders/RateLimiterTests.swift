import OrderTaking
import Testing

@testable import OrderTakingDispatch

@Suite("The rate limiter") struct RateLimiterTests {
  @Test("after a burst, requests are admitted at the rate") func burst() {
    var limiter = RateLimiter(RateLimit(perSecond: 10, burst: 3))
    for _ in 0..<3 { #expect(limiter.admit("a", at: .zero) == nil) }
    #expect(limiter.admit("a", at: .zero) == .milliseconds(100))
    #expect(limiter.admit("a", at: .milliseconds(60)) == .milliseconds(40))
    #expect(limiter.admit("a", at: .milliseconds(100)) == nil)
    #expect(limiter.admit("a", at: .milliseconds(100)) == .milliseconds(100))
    #expect(limiter.admit("b", at: .milliseconds(100)) == nil)
  }

  @Test("a pause allows a whole burst again, and no more") func pause() {
    var limiter = RateLimiter(RateLimit(perSecond: 1, burst: 2))
    for start in [Duration.zero, .seconds(1_000)] {
      #expect((0..<5).filter { _ in limiter.admit("a", at: start) == nil }.count == 2)
    }
  }

  @Test("the wait of a refused request is exactly long enough") func wait() {
    var limiter = RateLimiter(RateLimit(perSecond: 3, burst: 2))
    var now = Duration.zero
    for _ in 0..<100 {
      guard let wait = limiter.admit("a", at: now) else { continue }
      #expect(limiter.admit("a", at: now + wait - .nanoseconds(1)) != nil)
      now += wait
      #expect(limiter.admit("a", at: now) == nil)
    }
  }

  @Test(
    "no interval admits more requests than the burst and the rate allow",
    arguments: 0..<50 as Range<UInt64>)
  func property(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let limit = RateLimit(
      perSecond: Double.random(in: 0.5...50, using: &random), burst: .random(in: 1...10, using: &random))
    var limiter = RateLimiter(limit)
    var now = Duration.zero
    var admitted: [Duration] = []
    for _ in 0..<100 {
      now += .milliseconds(Int.random(in: 0...100, using: &random))
      if limiter.admit("a", at: now) == nil { admitted.append(now) }
    }
    for (index, start) in admitted.enumerated() {
      for (count, end) in admitted[index...].enumerated() {
        let allowed = Double(limit.burst) + (end - start) / .seconds(1) * limit.perSecond
        #expect(Double(count + 1) <= allowed + 1e-6)
      }
    }
  }

  @Test("clients without recent requests use no memory") func memory() {
    var limiter = RateLimiter(RateLimit(perSecond: 10, burst: 1))
    for client in 0..<100_000 { _ = limiter.admit("\(client)", at: .milliseconds(client)) }
    #expect(limiter.clientCount <= 1_025)
  }

  @Test(
    "a rate limit with extreme numbers admits a first request",
    arguments: [0, -1, 1e-25, 1e300, .infinity, .nan] as [Double], [.min, -3, 0, 1, .max])
  func extremes(perSecond: Double, burst: Int) {
    var limit = RateLimit(perSecond: 1, burst: 1)
    (limit.perSecond, limit.burst) = (perSecond, burst)
    var limiter = RateLimiter(limit)
    #expect(limiter.admit("a", at: .zero) == nil)
    #expect(limiter.admit("a", at: .zero).map { $0 <= .seconds(86_400) } ?? true)
  }

  @Test("reading the wait does not count as a request") func asking() {
    var limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1))
    for _ in 0..<100 { #expect(limiter.wait(of: "a", at: .zero) == nil) }
    #expect(limiter.admit("a", at: .zero) == nil && limiter.admit("a", at: .zero) == .seconds(1))
  }
}

extension RateLimiter {
  /// Counts a request that is within the limit; otherwise returns the time to wait.
  fileprivate mutating func admit(_ client: String, at now: Duration) -> Duration? {
    if let wait = wait(of: client, at: now) { return wait }
    count(client, at: now)
    return nil
  }
}
