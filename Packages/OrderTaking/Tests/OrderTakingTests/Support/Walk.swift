import OrderTaking

/// An operation after some events, and the effects of the last one in short words.
///
/// The journal stores each checkpoint at once, unless `isPersisting` is `false`.
struct Walk {
  typealias Event = TakingEvent

  var operation: TakingOperation
  let policy: TakingPolicy
  let isPersisting: Bool
  var now = Moment(sinceEpoch: .seconds(1_000_000), sinceBoot: .seconds(10_000), boot: 1)
  private(set) var said: [String] = []
  private(set) var all: [String] = []

  static let key = IdempotencyKey(high: 1, low: 2)

  init(_ policy: TakingPolicy, seed: UInt64 = 0, isPersisting: Bool = true, _ events: Event...) {
    operation = TakingOperation(key: Self.key, seed: seed)
    self.policy = policy
    self.isPersisting = isPersisting
    for event in events { then(event) }
  }

  @discardableResult
  mutating func then(_ event: Event) -> [String] {
    said = []
    handle(event)
    all += said
    return said
  }

  /// Handles an event after a time on both clocks.
  @discardableResult
  mutating func after(_ time: Duration, _ event: Event) -> [String] {
    now.sinceEpoch += time
    now.sinceBoot += time
    return then(event)
  }

  private mutating func handle(_ event: Event) {
    let effects = operation.handle(event, at: now, under: policy)
    said += effects.map { word($0).replacing(/OrderTaking\.(\w+\.)+/, with: "") }
    guard isPersisting else { return }
    for case .persist(let checkpoint) in effects { handle(.persisted(checkpoint)) }
  }

  var outcome: TakingOutcome? { operation.outcome }
}

private func word(_ effect: TakingEffect) -> String {
  switch effect {
  case .persist(let checkpoint): "persist \(checkpoint)"
  case .readRecord: "read record"
  case .send(let request): "\(request.kind) \(request.number)"
  case .abandon(let request): "abandon \(request.kind) \(request.number)"
  case .refreshToken(let number): "token \(number)"
  case .abandonToken(let number): "abandon token \(number)"
  case .startTimer(.pause(let number), let delay): "pause \(number) for \(delay)"
  case .startTimer(.request(let number), let delay): "limit \(number) to \(delay)"
  case .startTimer(.deadline, let delay): "deadline in \(delay)"
  case .stopTimer(.pause(let number)): "end pause \(number)"
  case .stopTimer(.request(let number)): "end limit \(number)"
  case .stopTimer(.deadline): "end deadline"
  case .report(let notice): "report \(notice)"
  case .finish(let outcome): "finish \(outcome)"
  }
}

extension TakingEvent {
  static func put(_ number: UInt32, _ answer: TakingAnswer) -> Self {
    .answered(TakingRequest(kind: .put, number: number), .success(answer))
  }

  static func put(_ number: UInt32, failed error: HTTPError) -> Self {
    .answered(TakingRequest(kind: .put, number: number), .failure(error))
  }

  static func get(_ number: UInt32, _ answer: TakingAnswer) -> Self {
    .answered(TakingRequest(kind: .get, number: number), .success(answer))
  }

  static func get(_ number: UInt32, failed error: HTTPError) -> Self {
    .answered(TakingRequest(kind: .get, number: number), .failure(error))
  }

  static func details(_ number: UInt32) -> Self {
    .detailsArrived(TakingRequest(kind: .details, number: number))
  }

  static func details(_ number: UInt32, failed error: HTTPError) -> Self {
    .answered(TakingRequest(kind: .details, number: number), .failure(error))
  }

  static func push(_ result: TakingResult, cursor: UInt64? = nil, key: IdempotencyKey? = nil) -> Self {
    .pushed(result, key: key, cursor: cursor)
  }

  static func pause(_ number: UInt32) -> Self { .timerFired(.pause(number: number)) }
  static func limit(_ number: UInt32) -> Self { .timerFired(.request(number: number)) }
  static var deadline: Self { .timerFired(.deadline) }

  /// An earlier process left this checkpoint a moment ago.
  static func recover(_ checkpoint: TakingCheckpoint, age: Duration = .zero, provenAge: Duration? = nil) -> Self {
    .resume(history(checkpoint, age, provenAge), .recover(ageLimit: .seconds(120)))
  }

  static func take(_ checkpoint: TakingCheckpoint, age: Duration = .zero, provenAge: Duration? = nil) -> Self {
    .resume(history(checkpoint, age, provenAge), .take)
  }

  static func reconcile(_ checkpoint: TakingCheckpoint, age: Duration = .zero, provenAge: Duration? = nil) -> Self {
    .resume(history(checkpoint, age, provenAge), .reconcile)
  }

  /// - Parameters:
  ///   - age: The age by the wall clock at the start of a walk.
  ///   - provenAge: The age of the last PUT by the monotonic clock, or `nil` if the machine has restarted since.
  private static func history(
    _ checkpoint: TakingCheckpoint, _ age: Duration, _ provenAge: Duration?
  ) -> TakingHistory {
    let begunAt = Duration.seconds(1_000_000) - age
    let lastPutAt =
      provenAge.map { Moment(sinceEpoch: begunAt, sinceBoot: .seconds(10_000) - $0, boot: 1) }
      ?? Moment(sinceEpoch: begunAt, sinceBoot: .seconds(50), boot: 2)
    return TakingHistory(checkpoint, begunAt: begunAt, lastPutAt: lastPutAt)
  }
}
