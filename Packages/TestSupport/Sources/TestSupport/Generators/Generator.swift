/// A generator of test values, which makes the same value from the same seed and can shrink its values.
///
/// Values of composed generators shrink without additional code, because shrinking works on the random choices behind a
/// value, not on the value.
///
/// ```swift
/// let names = Generator.string(of: .letter, count: 1...12)
/// let users = Generator.zip(names, .int(in: 0...120)).map(User.init(name:age:))
/// let crowds = users.array(count: 0...50)
/// ```
///
/// A generator is immutable and may be used from any number of threads.
public struct Generator<Value>: Sendable {
  let produce: @Sendable (inout Choices) throws(GeneratorError) -> Value

  /// Creates a generator that draws from other generators in several steps.
  ///
  /// ```swift
  /// let slices = Generator { choices throws(GeneratorError) in
  ///   let numbers = try choices.draw(.array(of: .int, count: 1...20))
  ///   let end = try choices.draw(.int(in: 0...numbers.count))
  ///   return numbers[..<end]
  /// }
  /// ```
  ///
  /// - Parameter produce: Makes a value only from the values that it draws, so that the same choices always make the
  ///   same value. May be called any number of times, on any thread.
  public init(_ produce: @escaping @Sendable (_ choices: inout Choices) throws(GeneratorError) -> Value) {
    self.produce = produce
  }

  /// Makes `count` values, which are the same for the same seed.
  ///
  /// - Parameters:
  ///   - count: The number of values; less than zero counts as zero.
  ///   - seed: The seed of the random choices.
  /// - Returns: The values, which do not depend on each other.
  /// - Throws: ``GeneratorError`` if a value cannot be made.
  public func values(count: Int, seed: UInt64) throws(GeneratorError) -> [Value] {
    var values: [Value] = []
    for index in 0..<max(0, count) {
      var choices = Choices(seed: CaseSeed.of(case: index, from: seed))
      values.append(try produce(&choices))
    }
    return values
  }
}

/// The seeds of the cases of a run, which are different, so that each case can be reproduced alone.
enum CaseSeed {
  /// Returns the seed of the case at `index`, which for the first case is the seed of the run.
  static func of(case index: Int, from seed: UInt64) -> UInt64 {
    guard index > 0 else { return seed }
    var numbers = SeededGenerator(seed: seed ^ 0x5851_F42D_4C95_7F2D &* UInt64(index))
    return numbers.next()
  }
}
