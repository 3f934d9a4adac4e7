public struct TakingPolicy: Hashable, Sendable {
  /// The time to wait for a push after the server has acknowledged the PUT, before the first GET.
  public var delayBeforeFirstGet = Duration.seconds(5)

  /// The wait after a failed request.
  public var retries = Backoff.exponential(from: .milliseconds(500), atMost: .seconds(20))

  /// The wait after a GET without a result.
  public var polls = Backoff.constant(.seconds(2))

  /// The maximum number of PUTs, with failed writes to the journal, and of consecutive failed GETs; `nil` for no limit.
  public var attempts: Int? = 12

  public var requestTimeout: Duration? = .seconds(10)

  /// The maximum time of the operation, from its start or from a restart, with the machine's sleep; `nil` for no limit.
  public var deadline: Duration? = .seconds(120)

  /// The maximum age of an unfinished operation that a later process puts again; `nil` for no limit.
  ///
  /// The driver may no longer expect an older order, so its operation only asks for the result.
  public var ageLimit: Duration? = .seconds(120)

  public var errors = ErrorRule.byStatus

  /// The decline reasons that a server also returns for a second PUT of an order that it has accepted.
  ///
  /// An earlier PUT, or this one repeated by the network, may have been accepted, so the operation sends GET. A 404 with
  /// `no_such_taking` confirms the decline.
  public var ambiguousDeclineReasons: Set<String> = ["already_taken"]

  public enum ErrorRule: Hashable, Sendable {
    /// Every error without a decline reason, as in ``TakingPolicy/deck``. It ignores `Retry-After`.
    case unlessDeclined
    /// Errors of the transport, and the statuses 408, 409 in progress, 425, 429 and 5xx. 401 requests a fresh token once. Any other
    /// status is final.
    case byStatus
  }

  /// Creates the ``standard`` rules, which you can change.
  public init() {}

  /// The default rules: exponential back-off with full jitter, at most 12 PUTs, 10 seconds for a request, and two minutes in all.
  public static let standard = TakingPolicy()

  /// The rules of *Reasons to love functional programming*: an error without a decline reason is retried after a millisecond, without a
  /// limit.
  public static let deck = deck()

  /// Returns the rules of ``deck`` with other times.
  public static func deck(
    intervalBetweenRetries: Duration = .milliseconds(1), delayBeforeFirstGetRequest: Duration = .milliseconds(1)
  ) -> TakingPolicy {
    var policy = TakingPolicy()
    policy.delayBeforeFirstGet = delayBeforeFirstGetRequest
    (policy.retries, policy.polls) = (.constant(intervalBetweenRetries), .constant(intervalBetweenRetries))
    (policy.attempts, policy.requestTimeout, policy.deadline, policy.ageLimit) = (nil, nil, nil, nil)
    (policy.errors, policy.ambiguousDeclineReasons) = (.unlessDeclined, [])
    return policy
  }
}

/// The wait before the next request, in whole numbers, so that the same random bits lead to the same waits on every platform.
public enum Backoff: Hashable, Sendable {
  case constant(Duration)

  /// Exponential back-off with *full jitter*: a random time from zero to a limit, which starts at `from`, doubles with each consecutive
  /// failure, and is at most `atMost`.
  case exponential(from: Duration, atMost: Duration)

  /// Returns the wait after a number of consecutive failures, from 1.
  public func delay(after failures: Int, random: UInt64) -> Duration {
    switch self {
    case .constant(let interval): return max(interval, .zero)
    case .exponential(let first, let cap):
      let cap = UInt64(max(0, cap.wholeNanoseconds))
      let (grown, overflow) = UInt64(max(0, first.wholeNanoseconds)).multipliedReportingOverflow(
        by: 1 << min(UInt64(max(failures, 1)) - 1, 62))
      let limit = overflow ? cap : min(grown, cap)
      guard limit < .max else { return .nanoseconds(Int64(clamping: random)) }
      return .nanoseconds(Int64(clamping: random.multipliedFullWidth(by: limit + 1).high))
    }
  }
}

/// The meaning of a failed request for its operation.
enum Disposition: Hashable {
  case decline(String)
  /// Retry, not before the time that the server requires.
  case retry(notBefore: Duration)
  case refreshToken
  case refuse(Int)
  case redirect(Int, to: String)
  /// End the operation, because a retry would fail too.
  case stop
  case keyMismatch
  case keyExpired
}

extension TakingPolicy {
  func disposition(of error: HTTPError) -> Disposition {
    if let reason = error.declineReason { return .decline(reason) }
    // The deck ignores `Retry-After`.
    guard errors == .byStatus else { return .retry(notBefore: .zero) }
    if error.kind == .insecure || error.kind == .invalidRequest { return .stop }
    let retry = Disposition.retry(notBefore: error.retryAfter ?? .zero)
    guard let status = error.status else { return retry }
    switch (status, error.problem) {
    // A problem code in a 5xx decides nothing, because the server has failed.
    case (400..<500, .idempotencyKeyMismatch?): return .keyMismatch
    case (400..<500, .idempotencyKeyExpired?): return .keyExpired
    case (401, _): return .refreshToken
    case (408, _), (425, _), (429, _), (409, .inProgress?), (500..<600, _): return retry
    case (300..<400, _): return .redirect(status, to: error.location ?? "another address")
    // Any other 4xx, an unreadable success, and a status that HTTP does not define.
    default: return .refuse(status)
    }
  }
}

extension Duration {
  /// The time in nanoseconds, truncated to a whole number, and clamped to its range.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
