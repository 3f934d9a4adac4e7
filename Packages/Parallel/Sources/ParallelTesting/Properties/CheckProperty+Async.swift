/// Checks that a property that awaits holds for many generated values.
///
/// ```swift
/// try await checkProperty("mapping keeps the order", .array(of: .int)) { numbers in
///   await sequence(numbers.map(slowly)) == numbers
/// }
/// ```
///
/// One case after the other, never two at a time, and on the caller's actor. Everything else is as in the form that does
/// not await. When the task is cancelled the check ends before its next case, and what a case in progress comes to is
/// not taken for a failure.
///
/// - Parameters:
///   - name: The property in words, for the report.
///   - count: How many cases to try; at least one. `PROPERTY_COUNT` multiplies it.
///   - seed: Where the random choices start. A seed given here wins over `PROPERTY_SEED`.
///   - generators: What makes the values, one generator for each parameter of the property.
///   - isolation: The actor to run on; the caller's unless told otherwise.
///   - property: Called with one case after the other, and again while shrinking. It has to come out the same for the
///     same values.
/// - Throws: ``PropertyFailure``, with the reason ``PropertyFailure/Reason/cancelled(after:)`` after a cancellation.
public func checkProperty<each Input: Sendable>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  isolation: isolated (any Actor)? = #isolation,
  property: (repeat each Input) async throws -> Bool
) async throws(PropertyFailure) {
  var run = try PropertyRun(name: name, count: count, seed: seed, generator: .zip(repeat each generators))
  while let input = run.next() {
    if Task.isCancelled {
      run.cancel()
      break
    }
    let verdict: Verdict
    do { verdict = try await property(repeat each input) ? .held : .returnedFalse } catch { verdict = .threw(error) }
    if verdict.isFailure && Task.isCancelled { run.cancel() } else { run.report(verdict) }
  }
  if let failure = run.failure { throw failure }
}

/// Checks that a closure that awaits throws for none of many generated values.
///
/// In every other way as the form of `checkProperty` that awaits.
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
