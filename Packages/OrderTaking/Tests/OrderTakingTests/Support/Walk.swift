import OrderTaking

/// A machine that is walked through events, and the effects of the last one in short words.
struct Walk {
  typealias Event = TakingEvent<Int, String>

  var operation: TakingOperation<Int, String>
  let policy: TakingPolicy
  /// What the last event asked for.
  private(set) var said: [String] = []
  /// What all events asked for.
  private(set) var all: [String] = []

  static let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 1, low: 2))

  /// Walks through events, from nothing.
  init(_ policy: TakingPolicy, seed: UInt64 = 0, _ events: Event...) {
    operation = TakingOperation(Self.intent, seed: seed)
    self.policy = policy
    for event in events { then(event) }
  }

  @discardableResult
  mutating func then(_ event: Event) -> [String] {
    let effects = operation.handle(event, under: policy)
    let details = operation.details
    said = effects.map { word($0, details).replacing(/OrderTaking\.\w+\./, with: "") }
    all += said
    return said
  }

  var outcome: TakingOutcome? { operation.outcome }
}

private func word(_ effect: TakingEffect, _ details: String?) -> String {
  switch effect {
  case .send(let request): "\(request.kind) \(request.number)"
  case .abandon(let request): "abandon \(request.kind) \(request.number)"
  case .refreshToken(let number): "token \(number)"
  case .abandonToken(let number): "abandon token \(number)"
  case .startTimer(.pause(let number), let delay): "pause \(number) for \(delay)"
  case .startTimer(.request(let number), let delay): "limit \(number) to \(delay)"
  case .startTimer(.budget, let delay): "budget of \(delay)"
  case .stopTimer(.pause(let number)): "end pause \(number)"
  case .stopTimer(.request(let number)): "end limit \(number)"
  case .stopTimer(.budget): "end budget"
  case .record(let change): "record \(change)"
  case .report(let notice): "report \(notice)"
  case .finish(let outcome): "finish \(outcome) \(details ?? "-")"
  }
}

extension TakingEvent<Int, String> {
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

  static func details(_ number: UInt32, _ details: String) -> Self {
    .detailsAnswered(TakingRequest(kind: .details, number: number), .success(details))
  }

  static func details(_ number: UInt32, failed error: HTTPError) -> Self {
    .detailsAnswered(TakingRequest(kind: .details, number: number), .failure(error))
  }

  static func push(
    _ result: TakingResult, cursor: UInt64? = nil, order: Int = 7, key: IdempotencyKey? = nil
  ) -> Self {
    .pushed(order: order, key: key, result, cursor: cursor)
  }

  static func pause(_ number: UInt32) -> Self { .timerFired(.pause(number: number)) }
  static func limit(_ number: UInt32) -> Self { .timerFired(.request(number: number)) }
  static var budget: Self { .timerFired(.budget) }

  static func resume(_ last: TakingChange, isExpired: Bool = false) -> Self {
    .resume(last: last, isExpired: isExpired)
  }
}
