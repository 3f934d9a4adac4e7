/// Checks that an asynchronous property holds for many generated values.
///
/// ```swift
/// try await checkProperty("mapping keeps the order", .array(of: .int)) { numbers in
///   await sequence(numbers.map(slowly)) == numbers
/// }
/// ```
///
/// Runs the cases one after the other on the caller's actor, and otherwise works like the synchronous `checkProperty`.
/// When the task is cancelled, the check ends before its next case and ignores the result of the current case.
///
/// - Parameters:
///   - name: The name of the property in reports.
///   - count: The number of cases, at least one. `PROPERTY_COUNT` multiplies it.
///   - seed: The seed of the random choices. Overrides `PROPERTY_SEED`.
///   - generators: A generator for each parameter of the property.
///   - isolation: The actor that runs the property, by default the caller's.
///   - property: Called with each case, and again while shrinking. Must return the same for the same values.
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

/// Checks that an asynchronous closure does not throw for many generated values.
///
/// Otherwise like the asynchronous `checkProperty`.
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
