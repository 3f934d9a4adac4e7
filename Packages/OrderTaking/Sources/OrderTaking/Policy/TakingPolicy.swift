/// How an order is taken: what to wait for and how long, what to try again, and when to give up.
///
/// A plain value. Begin with ``standard`` or ``deck`` and change what is different for you.
public struct TakingPolicy: Hashable, Sendable {
  /// How long the result is awaited as a push, after the server has taken up the PUT, before it is asked for.
  public var delayBeforeFirstGet: Duration

  /// How long to wait after a failed request.
  public var retries: Backoff

  /// How long to wait after a GET that says that the result is not known yet.
  public var polls: Backoff

  /// How many PUTs, and how many failing GETs in a row, there may be; `nil` for any number.
  ///
  /// Details are asked for until the budget ends, whatever is said here.
  public var attempts: Int?

  /// How long one request may take before it is given up and counts as failed; `nil` for as long as it likes.
  public var requestTimeout: Duration?

  /// How long the whole operation may take, from the first PUT or from a restart; `nil` for as long as it likes.
  public var budget: Duration?

  /// Which errors are tried again.
  public var errors: ErrorRule

  /// Decline reasons that a server also gives for a second PUT after it has granted the first.
  ///
  /// When such a reason answers a PUT the order may be ours: by an earlier PUT whose answer was lost, or by the same one,
  /// sent twice on its way. The operation asks with GET instead of believing it; a 404 there confirms it, when it says `no_such_taking`.
  public var ambiguousDeclineReasons: Set<String>

  /// Which errors are tried again.
  public enum ErrorRule: Hashable, Sendable {
    /// Every error without a decline reason, as ``TakingPolicy/deck`` has it, which knows no `Retry-After`.
    case unlessDeclined
    /// Errors of the transport, and the statuses 408, 409 in progress, 425, 429 and 5xx; any other 4xx is final, and 401
    /// asks for a fresh token once.
    case byStatus
  }

  /// Creates a policy; what is left out is as in ``standard``.
  public init(
    delayBeforeFirstGet: Duration = .seconds(5),
    retries: Backoff = .exponential(from: .milliseconds(500), atMost: .seconds(20)),
    polls: Backoff = .constant(.seconds(2)),
    attempts: Int? = 12,
    requestTimeout: Duration? = .seconds(10),
    budget: Duration? = .seconds(120),
    errors: ErrorRule = .byStatus,
    ambiguousDeclineReasons: Set<String> = ["already_taken"]
  ) {
    self.delayBeforeFirstGet = delayBeforeFirstGet
    self.retries = retries
    self.polls = polls
    self.attempts = attempts
    self.requestTimeout = requestTimeout
    self.budget = budget
    self.errors = errors
    self.ambiguousDeclineReasons = ambiguousDeclineReasons
  }

  /// Whether a wish is so old that no PUT of it can be on its way any more.
  ///
  /// One is sent until twice the budget is over: a restart just before its end has all of it again. By rules that last longer
  /// a later one is sent too, and makes the wish young again before. What is on its way for ten minutes more does not arrive.
  /// Without a budget nobody knows.
  package func isLongPast(_ age: Duration) -> Bool {
    budget.map { age > $0 * 2 + .seconds(600) } ?? false
  }

  /// The default: exponential back-off with full jitter, at most 12 PUTs, 10 seconds a request, two minutes in all.
  public static let standard = TakingPolicy()

  /// The rules of the deck, the slides of *Reasons to love functional programming*: whatever has no decline reason is tried again
  /// after a millisecond, for ever.
  public static let deck = deck()

  /// The rules of ``deck``, with their two times.
  ///
  /// - Parameters:
  ///   - intervalBetweenRetries: How long to wait between two requests.
  ///   - delayBeforeFirstGetRequest: How long to wait for a push before the first GET.
  public static func deck(
    intervalBetweenRetries: Duration = .milliseconds(1), delayBeforeFirstGetRequest: Duration = .milliseconds(1)
  ) -> TakingPolicy {
    TakingPolicy(
      delayBeforeFirstGet: delayBeforeFirstGetRequest, retries: .constant(intervalBetweenRetries),
      polls: .constant(intervalBetweenRetries), attempts: nil, requestTimeout: nil, budget: nil,
      errors: .unlessDeclined,
      ambiguousDeclineReasons: [])
  }
}
