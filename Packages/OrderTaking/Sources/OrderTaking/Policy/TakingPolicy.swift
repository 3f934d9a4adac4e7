/// The rules for the waits, retries and end of an operation.
public struct TakingPolicy: Hashable, Sendable {
  /// The time to wait for a push after the server has acknowledged the PUT, before the first GET.
  public var delayBeforeFirstGet: Duration

  /// The wait after a failed request.
  public var retries: Backoff

  /// The wait after a GET without a result.
  public var polls: Backoff

  /// The maximum number of PUTs, and of consecutive failed GETs; `nil` for no limit.
  ///
  /// A write to the journal that fails counts like a PUT. It does not limit requests for details, or the PUT after a
  /// new token.
  public var attempts: Int?

  /// The maximum time of one request; `nil` for no limit.
  public var requestTimeout: Duration?

  /// The maximum time of the operation, from its start or from a restart; `nil` for no limit.
  ///
  /// The time in which the machine sleeps counts.
  public var deadline: Duration?

  public var errors: ErrorRule

  /// The decline reasons that a server also returns for a second PUT of an order that it has accepted.
  ///
  /// If the response to a PUT has such a reason, the server may have accepted the order: the response to an earlier PUT was lost, or
  /// the network repeated this PUT. The operation then sends a GET. A 404 with `no_such_taking` confirms the decline.
  public var ambiguousDeclineReasons: Set<String>

  #if DEBUG
    package var mutant: Mutant?
  #endif

  public enum ErrorRule: Hashable, Sendable {
    /// Every error without a decline reason, as in ``TakingPolicy/deck``. It ignores `Retry-After`.
    case unlessDeclined
    /// Errors of the transport, and the statuses 408, 409 in progress, 425, 429 and 5xx. Any other 4xx is final, and 401 requests a
    /// fresh token once.
    case byStatus
  }

  /// The default of each parameter is its value in ``standard``.
  public init(
    delayBeforeFirstGet: Duration = .seconds(5),
    retries: Backoff = .exponential(from: .milliseconds(500), atMost: .seconds(20)),
    polls: Backoff = .constant(.seconds(2)),
    attempts: Int? = 12,
    requestTimeout: Duration? = .seconds(10),
    deadline: Duration? = .seconds(120),
    errors: ErrorRule = .byStatus,
    ambiguousDeclineReasons: Set<String> = ["already_taken"]
  ) {
    self.delayBeforeFirstGet = delayBeforeFirstGet
    self.retries = retries
    self.polls = polls
    self.attempts = attempts
    self.requestTimeout = requestTimeout
    self.deadline = deadline
    self.errors = errors
    self.ambiguousDeclineReasons = ambiguousDeclineReasons
  }

  /// The default rules: exponential back-off with full jitter, at most 12 PUTs, 10 seconds for a request, and two minutes in all.
  public static let standard = TakingPolicy()

  /// The rules in the slides of *Reasons to love functional programming*: an error without a decline reason is retried after a
  /// millisecond, without a limit.
  public static let deck = deck()

  /// Returns the rules of ``deck`` with other times.
  public static func deck(
    intervalBetweenRetries: Duration = .milliseconds(1), delayBeforeFirstGetRequest: Duration = .milliseconds(1)
  ) -> TakingPolicy {
    TakingPolicy(
      delayBeforeFirstGet: delayBeforeFirstGetRequest, retries: .constant(intervalBetweenRetries),
      polls: .constant(intervalBetweenRetries), attempts: nil, requestTimeout: nil, deadline: nil,
      errors: .unlessDeclined,
      ambiguousDeclineReasons: [])
  }
}
