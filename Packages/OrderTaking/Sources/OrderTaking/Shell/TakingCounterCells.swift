internal import Synchronization

/// The counters of a taker while it runs, which all its operations add to at once.
final class TakingCounterCells: Sendable {
  private let puts = Atomic(0)
  private let gets = Atomic(0)
  private let detailRequests = Atomic(0)
  private let failedRequests = Atomic(0)
  private let tokenRequests = Atomic(0)
  private let winsByPut = Atomic(0)
  private let winsByGet = Atomic(0)
  private let winsByPush = Atomic(0)
  private let contradictions = Atomic(0)
  private let strayPushes = Atomic(0)
  private let recordingFailures = Atomic(0)
  private let accepted = Atomic(0)
  private let acceptedWithoutDetails = Atomic(0)
  private let declined = Atomic(0)
  private let unknown = Atomic(0)
  private let failedOtherwise = Atomic(0)
  /// Seldom touched, since operations end once.
  private let latencies = Locked([Int](repeating: 0, count: TakingCounters().latencies.count))

  func countStrayPush() { add(strayPushes) }

  /// Counts what an operation asks for; its end has a function of its own.
  func count(_ effect: TakingEffect) {
    switch effect {
    case .send(let request):
      switch request.kind {
      case .put: add(puts)
      case .get: add(gets)
      case .details: add(detailRequests)
      }
    case .refreshToken: add(tokenRequests)
    case .report(.failed): add(failedRequests)
    case .report(.won(_, .put)): add(winsByPut)
    case .report(.won(_, .get)): add(winsByGet)
    case .report(.won(_, .push)): add(winsByPush)
    case .report(.contradiction): add(contradictions)
    case .report(.foreignPush): add(strayPushes)
    case .report(.recordingFailed): add(recordingFailures)
    case .report, .abandon, .abandonToken, .startTimer, .stopTimer, .record, .finish: break
    }
  }

  /// Counts an end.
  ///
  /// - Parameters:
  ///   - outcome: How an operation ended.
  ///   - age: How long it took.
  func count(_ outcome: TakingOutcome, age: Duration) {
    latencies.withLock { $0[TakingCounters.place(of: age)] += 1 }
    switch outcome {
    case .accepted(let hasDetails):
      add(accepted)
      if !hasDetails { add(acceptedWithoutDetails) }
    case .declined: add(declined)
    case .unknown: add(unknown)
    case .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded: add(failedOtherwise)
    }
  }

  /// The numbers at this moment.
  var values: TakingCounters {
    var values = TakingCounters()
    values.puts = read(puts)
    values.gets = read(gets)
    values.detailRequests = read(detailRequests)
    values.failedRequests = read(failedRequests)
    values.tokenRequests = read(tokenRequests)
    values.winsByPut = read(winsByPut)
    values.winsByGet = read(winsByGet)
    values.winsByPush = read(winsByPush)
    values.contradictions = read(contradictions)
    values.strayPushes = read(strayPushes)
    values.recordingFailures = read(recordingFailures)
    values.accepted = read(accepted)
    values.acceptedWithoutDetails = read(acceptedWithoutDetails)
    values.declined = read(declined)
    values.unknown = read(unknown)
    values.failedOtherwise = read(failedOtherwise)
    values.latencies = latencies.withLock { $0 }
    return values
  }

  private func add(_ cell: borrowing Atomic<Int>) { cell.wrappingAdd(1, ordering: .relaxed) }

  private func read(_ cell: borrowing Atomic<Int>) -> Int { cell.load(ordering: .relaxed) }
}

extension TakingCounters {
  /// The place in ``latencies`` of a time.
  static func place(of age: Duration) -> Int {
    let (seconds, attoseconds) = max(age, .zero).components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return 23 }
    let whole = UInt64(milliseconds.partialValue) + UInt64(attoseconds / 1_000_000_000_000_000)
    return min(64 - whole.leadingZeroBitCount, 23)
  }
}
