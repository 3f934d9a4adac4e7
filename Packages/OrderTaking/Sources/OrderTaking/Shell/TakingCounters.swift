/// What a taker has done so far, as numbers that a metrics library can read.
///
/// A plain value: ask the taker for a new one whenever they are to be shown. All of them only ever grow.
public struct TakingCounters: Hashable, Sendable {
  /// How many PUTs were sent.
  public private(set) var puts = 0
  /// How many GETs for a result were sent.
  public private(set) var gets = 0
  /// How many GETs for details were sent.
  public private(set) var detailRequests = 0
  /// How many requests failed.
  public private(set) var failedRequests = 0
  /// How often a fresh token was asked for.
  public private(set) var tokenRequests = 0

  /// How many results a PUT brought first.
  public private(set) var winsByPut = 0
  /// How many results a GET brought first.
  public private(set) var winsByGet = 0
  /// How many results a push brought first.
  public private(set) var winsByPush = 0
  /// How many second results contradicted the first.
  public private(set) var contradictions = 0
  /// How many pushes were for no operation under way.
  public internal(set) var strayPushes = 0
  /// How many changes the journal refused.
  public private(set) var recordingFailures = 0

  /// How many operations ended accepted, with details or without.
  public private(set) var accepted = 0
  /// How many of those had no details.
  public private(set) var acceptedWithoutDetails = 0
  /// How many operations ended declined.
  public private(set) var declined = 0
  /// How many operations ended as unknown.
  public private(set) var unknown = 0
  /// How many operations ended in any other way.
  public private(set) var failedOtherwise = 0

  /// How long operations took, from the beginning in this process to the end: place `n` counts those that took less than
  /// 2ⁿ milliseconds and no less than half of that; the last one also counts all that took longer.
  public private(set) var latencies = [Int](repeating: 0, count: 24)

  /// Nothing has happened yet.
  public init() {}

  /// Counts one thing that happened.
  ///
  /// - Parameters:
  ///   - happening: What happened.
  ///   - age: How long ago the operation was begun in this process; counted when it ends.
  mutating func count<OrderID>(
    _ happening: TakingProgress<OrderID>.Happening, age: Duration
  ) {
    switch happening {
    case .sent(let request):
      switch request.kind {
      case .put: puts += 1
      case .get: gets += 1
      case .details: detailRequests += 1
      }
    case .askedForToken: tokenRequests += 1
    case .noticed(.failed): failedRequests += 1
    case .noticed(.won(_, .put)): winsByPut += 1
    case .noticed(.won(_, .get)): winsByGet += 1
    case .noticed(.won(_, .push)): winsByPush += 1
    case .noticed(.contradiction): contradictions += 1
    case .noticed(.foreignPush): strayPushes += 1
    case .noticed(.recordingFailed): recordingFailures += 1
    case .pausing, .noticed: break
    case .ended(let outcome):
      latencies[Self.place(of: age)] += 1
      switch outcome {
      case .accepted(let hasDetails):
        accepted += 1
        if !hasDetails { acceptedWithoutDetails += 1 }
      case .declined: declined += 1
      case .unknown: unknown += 1
      case .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded: failedOtherwise += 1
      }
    }
  }

  private static func place(of age: Duration) -> Int {
    let (seconds, attoseconds) = max(age, .zero).components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return 23 }
    let whole = UInt64(milliseconds.partialValue) + UInt64(attoseconds / 1_000_000_000_000_000)
    return min(64 - whole.leadingZeroBitCount, 23)
  }
}
