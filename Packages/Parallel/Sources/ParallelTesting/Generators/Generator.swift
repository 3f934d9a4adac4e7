/// A recipe for test values: the same seed always makes the same value, and every value knows how to become simpler.
///
/// Generators compose. Whatever is built from them shrinks as well, with nothing more to write: shrinking works on the
/// random choices behind a value, not on the value.
///
/// ```swift
/// let names = Generator.string(of: .letter, count: 1...12)
/// let users = Generator.zip(names, .int(in: 0...120)).map(User.init(name:age:))
/// let crowds = users.array(count: 0...50)
/// ```
///
/// A generator is a value without state and may be used from any number of threads.
public struct Generator<Value>: Sendable {
  let produce: @Sendable (inout Choices) throws(GeneratorError) -> Value

  /// Creates a generator that draws what it needs from others, step by step.
  ///
  /// ```swift
  /// let slices = Generator { choices throws(GeneratorError) in
  ///   let numbers = try choices.draw(.array(of: .int, count: 1...20))
  ///   let end = try choices.draw(.int(in: 0...numbers.count))
  ///   return numbers[..<end]
  /// }
  /// ```
  ///
  /// - Parameter produce: Makes a value from what it draws, and from nothing else: made again from the same choices, it
  ///   has to be the same. It may be called any number of times, on any thread.
  public init(_ produce: @escaping @Sendable (_ choices: inout Choices) throws(GeneratorError) -> Value) {
    self.produce = produce
  }

  /// Makes `count` values; the same seed makes the same ones.
  ///
  /// - Parameters:
  ///   - count: How many; zero or less makes none.
  ///   - seed: Where the random choices start.
  /// - Returns: The values, each independent of the ones before it.
  /// - Throws: ``GeneratorError`` when a value cannot be made.
  public func values(count: Int, seed: UInt64) throws(GeneratorError) -> [Value] {
    var values: [Value] = []
    for index in 0..<max(0, count) {
      var choices = Choices(seed: CaseSeed.of(case: index, from: seed))
      values.append(try produce(&choices))
    }
    return values
  }
}

/// Gives each case of a run a seed of its own, so that one case can be had again without those before it.
enum CaseSeed {
  /// The seed of the case at `index`; the first case's is the run's own.
  static func of(case index: Int, from seed: UInt64) -> UInt64 {
    guard index > 0 else { return seed }
    var numbers = SeededGenerator(seed: seed ^ 0x5851_F42D_4C95_7F2D &* UInt64(index))
    return numbers.next()
  }
}
