internal import Foundation

/// Checks that a property holds for many generated values.
///
/// ```swift
/// @Test func reversing() throws {
///   try checkProperty("reversing twice changes nothing", .array(of: .int)) { numbers in
///     numbers.reversed().reversed() == numbers
///   }
/// }
/// ```
///
/// A property fails if it returns `false` or throws. The check then tries at most 5,000 simpler cases, and reports the
/// simplest failing case with the seed that reproduces it. Do not use the expectations of a test library in a property:
/// they would record an issue for every failing case on the way.
///
/// The check starts from the same seed each time, unless the environment sets another one:
///
/// | variable | value | effect |
/// |---|---|---|
/// | `PROPERTY_SEED` | a number, decimal or `0x…` | the seed of every check without a `seed:` argument |
/// | `PROPERTY_SEED` | `random` | a new seed for every such check; a failure prints it |
/// | `PROPERTY_COUNT` | a number from 1 | multiplies the number of cases of every check |
///
/// - Parameters:
///   - name: The name of the property in reports.
///   - count: The number of cases, at least one. `PROPERTY_COUNT` multiplies it.
///   - seed: The seed of the random choices. Overrides `PROPERTY_SEED`.
///   - generators: A generator for each parameter of the property.
///   - property: Called with each case on the caller's thread, and again while shrinking. Must return the same for the
///     same values.
public func checkProperty<each Input>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  property: (repeat each Input) throws -> Bool
) throws(PropertyFailure) {
  var run = try PropertyRun(name: name, count: count, seed: seed, generator: .zip(repeat each generators))
  while let input = try run.next() {
    do { run.report(.success(try property(repeat each input))) } catch { run.report(.failure(error)) }
  }
}

/// Checks that an asynchronous property holds for many generated values.
///
/// ```swift
/// try await checkProperty("mapping keeps the order", .array(of: .int)) { numbers in
///   await sequence(numbers.map(slowly)) == numbers
/// }
/// ```
///
/// Runs the cases one after the other on the caller's actor.
/// When the task is cancelled, the check ends and ignores the outcome of the current case.
public func checkProperty<each Input: Sendable>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  isolation: isolated (any Actor)? = #isolation,
  property: (repeat each Input) async throws -> Bool
) async throws(PropertyFailure) {
  var run = try PropertyRun(name: name, count: count, seed: seed, generator: .zip(repeat each generators))
  while let input = try run.next() {
    let outcome: Result<Bool, any Error>
    do { outcome = .success(try await property(repeat each input)) } catch { outcome = .failure(error) }
    guard !Task.isCancelled else {
      throw PropertyFailure(name: name, problem: "its task was cancelled. Check the time limit of the test.")
    }
    run.report(outcome)
  }
}

/// Checks that a closure does not throw for many generated values.
///
/// Like `checkProperty`, for properties of several steps that throw on failure. It has a different name so that a
/// forgotten `return` in a property is a compile error instead of a property that always holds.
public func checkNeverThrows<each Input>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  property: (repeat each Input) throws -> Void
) throws(PropertyFailure) {
  try checkProperty(name, count: count, seed: seed, repeat each generators) { (input: repeat each Input) -> Bool in
    try property(repeat each input)
    return true
  }
}

/// Checks that an asynchronous closure does not throw for many generated values.
public func checkNeverThrows<each Input: Sendable>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  isolation: isolated (any Actor)? = #isolation,
  property: (repeat each Input) async throws -> Void
) async throws(PropertyFailure) {
  try await checkProperty(name, count: count, seed: seed, repeat each generators, isolation: isolation) {
    (input: repeat each Input) async throws -> Bool in
    try await property(repeat each input)
    return true
  }
}

/// The error of `checkProperty` if a property does not hold or cannot be checked.
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
  public struct Counterexample: Sendable {
    public let original: String
    /// The simplest values with the same kind of failure.
    public internal(set) var shrunk: String
    /// The outcome for the simplest values: a thrown error or `false`.
    public internal(set) var outcome: String
    /// The seed that makes this case the first of a run.
    public let caseSeed: UInt64
  }

  /// The case, or `nil` if the property could not be checked.
  public let counterexample: Counterexample?
  /// A report of several lines with the case and the seed that reproduces it.
  public let description: String

  /// The failure of a property that could not be checked.
  init(name: String, problem: String) {
    counterexample = nil
    description = "Cannot check the property \"\(name)\": \(problem)"
  }

  init(name: String, _ found: Counterexample, place: String, effort: String) {
    counterexample = found
    let seed = hexadecimal(found.caseSeed)
    description = """
      Property "\(name)" does not hold: \(found.outcome).
        fails for:   \(found.shrunk)
        shrunk from: \(found.original) (\(effort))
        found in:    \(place)
        reproduce:   PROPERTY_SEED=\(seed) swift test --filter … or checkProperty(…, seed: \(seed), …) runs this case first
      """
  }
}

/// The state of a check: it proposes values and receives their outcomes.
///
/// The synchronous and the asynchronous check only add the loop that calls the property.
private struct PropertyRun<Value> {
  private let name: String
  private let generator: Generator<Value>
  private let seed: UInt64
  private let count: Int

  private var index = 0
  private var trial: (value: Value, recording: Recording)?
  private var found: (example: PropertyFailure.Counterexample, errorType: (any Error.Type)?, shrinker: Shrinker)?

  init(name: String, count: Int, seed: UInt64?, generator: Generator<Value>) throws(PropertyFailure) {
    (self.name, self.generator) = (name, generator)
    guard count > 0 else { throw PropertyFailure(name: name, problem: "the count is \(count). Pass at least 1.") }
    let variables = ProcessInfo.processInfo.environment
    let multiplier = variables["PROPERTY_COUNT"] ?? "1"
    guard let factor = Int(multiplier), factor > 0, !count.multipliedReportingOverflow(by: factor).overflow else {
      throw PropertyFailure(
        name: name, problem: "PROPERTY_COUNT is '\(multiplier)'. Set it to a positive integer, or unset it.")
    }
    self.count = count * factor
    let text = variables["PROPERTY_SEED"] ?? "0x5EED"
    guard let seed = seed ?? (text == "random" ? .random(in: 0 ... .max) : UInt64(seedText: text)) else {
      throw PropertyFailure(
        name: name, problem: "PROPERTY_SEED is '\(text)'. Set it to a number below 2⁶⁴ or to 'random', or unset it.")
    }
    self.seed = seed
  }

  /// Returns the next value to try, or `nil` after the last case of a property that holds.
  ///
  /// - Throws: The failure, after the simplest case was found.
  mutating func next() throws(PropertyFailure) -> Value? {
    guard found != nil else { return try nextCase() }
    while let candidate = found?.shrinker.nextCandidate() {
      var choices = Choices(replaying: candidate)
      // Skip a record that does not make a value, for example because of a filter.
      if let value = try? generator.produce(&choices) {
        trial = (value, choices.record)
        return value
      }
      found?.shrinker.turnDown()
    }
    guard let found else { return nil }
    let (shrinks, tries) = (found.shrinker.shrinks, found.shrinker.tries)
    let stopped = tries >= Shrinker.tryLimit ? ", stopped early" : ""
    throw PropertyFailure(
      name: name, found.example, place: "case \(index + 1) of \(count), seed \(hexadecimal(seed))",
      effort: "\(shrinks) \(shrinks == 1 ? "shrink" : "shrinks"), \(tries) candidates tried\(stopped)")
  }

  /// Receives the outcome of the last value.
  mutating func report(_ outcome: Result<Bool, any Error>) {
    guard let trial else { return }
    let (failure, errorType): (String?, (any Error.Type)?) =
      switch outcome {
      case .success(let holds): (holds ? nil : "it returned false", nil)
      case .failure(let error): ("it threw \(error)", type(of: error))
      }
    if var current = found {
      // Shrinking keeps the kind of failure, so that it does not end with a simpler but unrelated failure.
      if let failure, errorType == current.errorType {
        current.shrinker.take(trial.recording)
        if current.shrinker.best == trial.recording {
          (current.example.shrunk, current.example.outcome) = (rendered(trial.value), failure)
        }
      } else {
        current.shrinker.turnDown()
      }
      found = current
    } else if let failure {
      let text = rendered(trial.value)
      let example = PropertyFailure.Counterexample(
        original: text, shrunk: text, outcome: failure, caseSeed: caseSeed(index))
      found = (example, errorType, Shrinker(from: trial.recording))
    } else {
      index += 1
    }
  }

  private mutating func nextCase() throws(PropertyFailure) -> Value? {
    guard index < count else { return nil }
    var choices = Choices(seed: caseSeed(index))
    do {
      let value = try generator.produce(&choices)
      trial = (value, choices.record)
      return value
    } catch {
      throw PropertyFailure(name: name, problem: error.description)
    }
  }

  /// Returns the seed of the case at `index`, which for the first case is the seed of the run.
  ///
  /// So each case can be reproduced alone.
  private func caseSeed(_ index: Int) -> UInt64 {
    guard index > 0 else { return seed }
    var numbers = SeededGenerator(seed: seed ^ 0x5851_F42D_4C95_7F2D &* UInt64(index))
    return numbers.next()
  }
}

private func hexadecimal(_ seed: UInt64) -> String { "0x" + String(seed, radix: 16, uppercase: true) }

extension UInt64 {
  fileprivate init?(seedText: String) {
    let isHexadecimal = seedText.hasPrefix("0x")
    self.init(isHexadecimal ? String(seedText.dropFirst(2)) : seedText, radix: isHexadecimal ? 16 : 10)
  }
}

/// A value as text, limited in length to keep the report readable.
private func rendered(_ value: some Any) -> String {
  let text = String(reflecting: value)
  let limit = 2_000
  return text.count > limit ? "\(text.prefix(limit))… (\(text.count - limit) more characters)" : text
}
