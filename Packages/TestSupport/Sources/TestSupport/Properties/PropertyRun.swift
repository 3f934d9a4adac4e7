/// The state of a check: it proposes values, receives their outcomes, and ends with success or a failure.
///
/// The synchronous and the asynchronous check only add the loop that calls the property.
struct PropertyRun<Value> {
  private let name: String
  private let generator: Generator<Value>
  private let seed: UInt64
  private let count: Int

  private var index = 0
  private var trial: Trial?
  private var found: Found?

  private(set) var failure: PropertyFailure?

  private struct Trial {
    let value: Value
    let recording: Recording
  }

  private struct Found {
    let original: String
    let verdict: Verdict
    var shrunk: String
    var outcome: String
    var shrinker: Shrinker
  }

  init(name: String, count: Int, seed: UInt64?, generator: Generator<Value>) throws(PropertyFailure) {
    self.name = name
    self.generator = generator
    let environment: PropertyEnvironment
    do { environment = try PropertyEnvironment.current() } catch {
      throw PropertyFailure(name: name, reason: .notRun(error.description))
    }
    guard count > 0 else {
      throw PropertyFailure(name: name, reason: .notRun("Cannot run \(count) cases: the count must be at least 1."))
    }
    let product = count.multipliedReportingOverflow(by: environment.countMultiplier)
    self.count = product.overflow ? .max : product.partialValue
    switch (seed, environment.seed) {
    case (let given?, _): self.seed = given
    case (nil, .fixed(let fixed)): self.seed = fixed
    case (nil, .random): self.seed = .random(in: 0 ... .max)
    }
  }

  /// Returns the next value to try, or `nil` at the end.
  ///
  /// Report each outcome with `report`.
  mutating func next() -> Value? {
    guard failure == nil else { return nil }
    let value = found == nil ? nextCase() : nextShrink()
    if value == nil, let found { failure = PropertyFailure(name: name, reason: .falsified(counterexample(found))) }
    return value
  }

  /// Receives the outcome of the last value.
  mutating func report(_ verdict: Verdict) {
    guard let trial else { return }
    if let found {
      guard verdict.isSameFailure(as: found.verdict) else {
        self.found?.shrinker.turnDown()
        return
      }
      self.found?.shrinker.take(trial.recording)
      guard self.found?.shrinker.best == trial.recording else { return }
      self.found?.shrunk = rendered(trial.value)
      self.found?.outcome = verdict.description
    } else if verdict.isFailure {
      let text = rendered(trial.value)
      let shrinker = Shrinker(from: trial.recording)
      found = Found(
        original: text, verdict: verdict, shrunk: text, outcome: verdict.description, shrinker: shrinker)
    } else {
      index += 1
    }
  }

  /// Ends the check because the task was cancelled, and ignores the outcome of the last value.
  ///
  /// An earlier failure is still reported, but its case may not be the simplest.
  mutating func cancel() {
    let reason = found.map { PropertyFailure.Reason.falsified(counterexample($0, cutShort: true)) }
    failure = PropertyFailure(name: name, reason: reason ?? .cancelled(after: index))
  }

  private mutating func nextCase() -> Value? {
    guard index < count else { return nil }
    var choices = Choices(seed: CaseSeed.of(case: index, from: seed))
    do {
      let value = try generator.produce(&choices)
      trial = Trial(value: value, recording: choices.record)
      return value
    } catch {
      failure = PropertyFailure(name: name, reason: .notRun(error.description))
      return nil
    }
  }

  private mutating func nextShrink() -> Value? {
    while let candidate = found?.shrinker.nextCandidate() {
      var choices = Choices(replaying: candidate)
      // Skip a record that does not make a value, for example because of a filter.
      if let value = try? generator.produce(&choices) {
        trial = Trial(value: value, recording: choices.record)
        return value
      }
      found?.shrinker.turnDown()
    }
    return nil
  }

  private func counterexample(_ found: Found, cutShort: Bool = false) -> PropertyFailure.Counterexample {
    PropertyFailure.Counterexample(
      original: found.original,
      shrunk: found.shrunk,
      outcome: found.outcome,
      seed: seed,
      caseIndex: index,
      caseCount: count,
      caseSeed: CaseSeed.of(case: index, from: seed),
      shrinks: found.shrinker.shrinks,
      tries: found.shrinker.tries,
      gaveUp: cutShort || found.shrinker.tries >= Shrinker.tryLimit
    )
  }
}

/// The outcome of a property for one value.
enum Verdict {
  case held
  case returnedFalse
  case threw(any Error)

  var isFailure: Bool {
    if case .held = self { false } else { true }
  }

  /// Shrinking keeps the kind of failure, so that it does not end with a simpler but unrelated failure.
  func isSameFailure(as other: Verdict) -> Bool {
    switch (self, other) {
    case (.returnedFalse, .returnedFalse): true
    case (.threw(let left), .threw(let right)): type(of: left) == type(of: right)
    default: false
    }
  }

  var description: String {
    switch self {
    case .held: "it held"
    case .returnedFalse: "it returned false"
    case .threw(let error): "it threw \(error)"
    }
  }
}

/// A value as text, limited in length to keep the report readable.
private func rendered(_ value: some Any) -> String {
  let text = String(reflecting: value)
  let limit = 2_000
  return text.count > limit ? "\(text.prefix(limit))… (\(text.count - limit) more characters)" : text
}
