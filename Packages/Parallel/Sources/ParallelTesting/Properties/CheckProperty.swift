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
/// When the property does not hold for a case, simpler cases are tried, at most 5,000 of them, and the simplest found is
/// reported with the seed that brings it back. A property says that it does not hold by returning `false` or by throwing.
/// Rather not with an expectation of a test library: that would record an issue for every case tried on the way.
///
/// The check starts from the same seed each time, unless the environment says otherwise: see ``PropertyEnvironment``.
///
/// - Parameters:
///   - name: The property in words, for the report.
///   - count: How many cases to try; at least one. `PROPERTY_COUNT` multiplies it.
///   - seed: Where the random choices start. A seed given here wins over `PROPERTY_SEED`.
///   - generators: What makes the values, one generator for each parameter of the property.
///   - property: Called with one case after the other, on the caller's thread, and again while shrinking. It has to come
///     out the same for the same values.
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

/// Checks that a closure throws for none of many generated values.
///
/// For properties told in several steps that throw where they do not hold; in every other way as `checkProperty`. It has a
/// name of its own so that a forgotten `return` in a property is an error, not a property that always holds.
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
