/// The counters of a taker, for a metrics library.
///
/// It is a plain value. Read ``OrderTaker/counters`` again for current numbers, which never decrease.
public struct TakingCounters: Hashable, Sendable {
  /// The number of PUTs sent.
  public internal(set) var puts = 0
  /// The number of GETs for results sent.
  public internal(set) var gets = 0
  /// The number of GETs for details sent.
  public internal(set) var detailRequests = 0
  /// The number of failed requests.
  public internal(set) var failedRequests = 0
  /// The number of requested tokens.
  public internal(set) var tokenRequests = 0

  /// The number of results that a response to a PUT contained first.
  public internal(set) var winsByPut = 0
  /// The number of results that a response to a GET contained first.
  public internal(set) var winsByGet = 0
  /// The number of results that a push contained first.
  public internal(set) var winsByPush = 0
  /// The number of second results that contradicted the first one.
  public internal(set) var contradictions = 0
  /// The number of pushes without an operation under way, or for another intent of its order.
  public internal(set) var strayPushes = 0
  /// The number of steps that the journal could not store, or may not have stored.
  public internal(set) var recordingFailures = 0

  /// The number of accepted orders, with or without details.
  public internal(set) var accepted = 0
  /// The number of accepted orders without details.
  public internal(set) var acceptedWithoutDetails = 0
  /// The number of declined orders.
  public internal(set) var declined = 0
  /// The number of operations that ended as unknown.
  public internal(set) var unknown = 0
  /// The number of operations with any other outcome.
  public internal(set) var failedOtherwise = 0

  /// The durations of operations in this process.
  ///
  /// Element 0 counts durations of less than a millisecond, and element `n` those of at least 2ⁿ⁻¹ and less than 2ⁿ
  /// milliseconds. The last element also counts all longer ones.
  public internal(set) var latencies = [Int](repeating: 0, count: 24)

  /// Creates counters of zero.
  public init() {}
}

extension TakingCounters {
  /// Counts an effect of an operation of a given age.
  mutating func count(_ effect: TakingEffect, age: Duration) {
    switch effect {
    case .send(let request):
      switch request.kind {
      case .put: puts += 1
      case .get: gets += 1
      case .details: detailRequests += 1
      }
    case .refreshToken: tokenRequests += 1
    case .report(.failed): failedRequests += 1
    case .report(.won(_, .put)): winsByPut += 1
    case .report(.won(_, .get)): winsByGet += 1
    case .report(.won(_, .push)): winsByPush += 1
    case .report(.contradiction): contradictions += 1
    case .report(.foreignPush): strayPushes += 1
    case .report(.notPersisted): recordingFailures += 1
    case .finish(let outcome):
      latencies[Self.index(of: age)] += 1
      count(outcome)
    case .report, .abandon, .abandonToken, .startTimer, .stopTimer, .persist, .readRecord: break
    }
  }

  private mutating func count(_ outcome: TakingOutcome) {
    switch outcome {
    case .accepted(let hasDetails):
      accepted += 1
      if !hasDetails { acceptedWithoutDetails += 1 }
    case .declined: declined += 1
    case .unknown: unknown += 1
    case .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded: failedOtherwise += 1
    }
  }

  /// Returns the index of a duration in ``latencies``.
  static func index(of age: Duration) -> Int {
    let (seconds, attoseconds) = max(age, .zero).components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return 23 }
    let whole = UInt64(milliseconds.partialValue) + UInt64(attoseconds / 1_000_000_000_000_000)
    return min(64 - whole.leadingZeroBitCount, 23)
  }
}
