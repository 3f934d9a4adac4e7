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

  @discardableResult
  mutating func after(_ time: Duration, _ event: Event) -> [String] {
    now.sinceEpoch += time
    now.sinceBoot += time
    return then(event)
  }

  /// After a PUT that may have reached the server; the next request is PUT 3.
  static func afterLostPut(_ policy: TakingPolicy, _ events: Event...) -> Walk {
    Walk(policy, .begin, .put(1, failed: .timedOut), .pause(2)).with(events)
  }

  /// After an answer of processing; the next request is GET 3.
  static func polling(_ policy: TakingPolicy, _ events: Event...) -> Walk {
    Walk(policy, .begin, .put(1, .processing), .pause(2)).with(events)
  }

  private func with(_ events: [Event]) -> Walk {
    var walk = self
    for event in events { walk.then(event) }
    return walk
  }

  private mutating func handle(_ event: Event) {
    let effects = operation.handle(event, at: now, under: policy)
    said += effects.compactMap { word($0)?.replacing(/OrderTaking\.(\w+\.)+/, with: "") }
    guard isPersisting else { return }
    for case .persist(let checkpoint) in effects { handle(.persisted(checkpoint)) }
  }

  var outcome: TakingOutcome? { operation.outcome }
}

private func word(_ effect: TakingEffect) -> String? {
  switch effect {
  case .persist(let checkpoint): "persist \(checkpoint)"
  case .readRecord: "read record"
  case .send(let request): "\(request.kind) \(request.number)"
  case .abandon(let request): "abandon \(request.kind) \(request.number)"
  case .startTimer(.pause(let number), let delay): "pause \(number) for \(delay)"
  case .startTimer(.request(let number), let delay): "limit \(number) to \(delay)"
  case .startTimer(.deadline, let delay): "deadline in \(delay)"
  case .stopTimer(.pause(let number)): "end pause \(number)"
  case .stopTimer(.request(let number)): "end limit \(number)"
  case .stopTimer(.deadline): "end deadline"
  // The pause that follows says the same.
  case .report(.retrying): nil
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
    .arrived(TakingRequest(kind: .details, number: number))
  }

  static func details(_ number: UInt32, failed error: HTTPError) -> Self {
    .answered(TakingRequest(kind: .details, number: number), .failure(error))
  }

  static func token(_ number: UInt32, failed error: HTTPError? = nil) -> Self {
    let request = TakingRequest(kind: .token, number: number)
    return error.map { .answered(request, .failure($0)) } ?? .arrived(request)
  }

  static func push(_ result: TakingResult, key: IdempotencyKey? = nil) -> Self {
    .pushed(PushedResult(order: 7, key: key, result: result))
  }

  static func pause(_ number: UInt32) -> Self { .timerFired(.pause(number: number)) }
  static func limit(_ number: UInt32) -> Self { .timerFired(.request(number: number)) }
  static var deadline: Self { .timerFired(.deadline) }

  /// An earlier process left this checkpoint.
  ///
  /// - Parameters:
  ///   - age: The age by the wall clock at the start of a walk.
  ///   - provenAge: The age of the last PUT by the monotonic clock, or `nil` if the machine has restarted since.
  static func resume(
    _ checkpoint: TakingCheckpoint, _ purpose: TakingPurpose, age: Duration = .zero, provenAge: Duration? = nil
  ) -> Self {
    let begunAt = Duration.seconds(1_000_000) - age
    let lastPutAt =
      provenAge.map { Moment(sinceEpoch: begunAt, sinceBoot: .seconds(10_000) - $0, boot: 1) }
      ?? Moment(sinceEpoch: begunAt, sinceBoot: .seconds(50), boot: 2)
    let intent = TakingIntent(order: 7, key: Walk.key)
    return .resume(
      TakingRecord(intent: intent, begunAt: begunAt, lastPutAt: lastPutAt, checkpoint: checkpoint), purpose)
  }
}

extension JournalError {
  static let failed = JournalError(.storage, "failed")
  static let unknown = JournalError(.unknownOutcome, "unknown")
  static let fenced = JournalError(.fenced, "fenced")
}
