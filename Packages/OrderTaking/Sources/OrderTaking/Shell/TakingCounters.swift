/// What a taker has done so far, as numbers that a metrics library can read.
///
/// A plain value: ask the taker for a new one whenever they are to be shown. All of them only ever grow.
public struct TakingCounters: Hashable, Sendable {
  /// How many PUTs were sent.
  public internal(set) var puts = 0
  /// How many GETs for a result were sent.
  public internal(set) var gets = 0
  /// How many GETs for details were sent.
  public internal(set) var detailRequests = 0
  /// How many requests failed.
  public internal(set) var failedRequests = 0
  /// How often a fresh token was asked for.
  public internal(set) var tokenRequests = 0

  /// How many results a PUT brought first.
  public internal(set) var winsByPut = 0
  /// How many results a GET brought first.
  public internal(set) var winsByGet = 0
  /// How many results a push brought first.
  public internal(set) var winsByPush = 0
  /// How many second results contradicted the first.
  public internal(set) var contradictions = 0
  /// How many pushes were for no operation under way.
  public internal(set) var strayPushes = 0
  /// How many changes the journal refused.
  public internal(set) var recordingFailures = 0

  /// How many operations ended accepted, with details or without.
  public internal(set) var accepted = 0
  /// How many of those had no details.
  public internal(set) var acceptedWithoutDetails = 0
  /// How many operations ended declined.
  public internal(set) var declined = 0
  /// How many operations ended as unknown.
  public internal(set) var unknown = 0
  /// How many operations ended in any other way.
  public internal(set) var failedOtherwise = 0

  /// How long operations took, from the beginning in this process to the end: place `n` counts those that took less than
  /// 2ⁿ milliseconds and no less than half of that; the last one also counts all that took longer.
  public internal(set) var latencies = [Int](repeating: 0, count: 24)

  /// Nothing has happened yet.
  public init() {}
}
