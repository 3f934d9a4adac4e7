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
/// The check starts from the same seed each time, unless the environment sets another one: see ``PropertyEnvironment``.
///
/// - Parameters:
///   - name: The name of the property in reports.
///   - count: The number of cases, at least one. `PROPERTY_COUNT` multiplies it.
///   - seed: The seed of the random choices. Overrides `PROPERTY_SEED`.
///   - generators: A generator for each parameter of the property.
///   - property: Called with each case on the caller's thread, and again while shrinking. Must return the same for the
///     same values.
/// - Throws: ``PropertyFailure``.
public func checkProperty<each Input>(
  _ name: String,
  count: Int = 100,
  seed: UInt64? = nil,
  _ generators: repeat Generator<each Input>,
  property: (repeat each Input) throws -> Bool
) throws(PropertyFailure) {
  var run = try PropertyRun(name: name, count: count, seed: seed, generator: .zip(repeat each generators))
  while let input = run.next() {
    do { run.report(try property(repeat each input) ? .held : .returnedFalse) } catch { run.report(.threw(error)) }
  }
  if let failure = run.failure { throw failure }
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
