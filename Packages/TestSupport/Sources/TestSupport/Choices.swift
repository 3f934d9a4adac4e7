/// The random choices behind one generated value, and a record of them.
///
/// A generated value is a function of its choices: numbers from zero to a limit, where zero is the simplest. They are
/// drawn from a seed, or replayed from a changed record. So values shrink: the record is made shorter and smaller, and
/// the value is made again through the same `map`, `filter` and `flatMap`. The result is always a value that the
/// generator could have made.
///
/// The closure of ``Generator/init(_:)`` uses this type to draw from other generators.
public struct Choices {
  private enum Source {
    case random(SeededGenerator)
    case replay([UInt64])
  }

  /// The maximum number of random choices for one value.
  ///
  /// All later choices are zero, so that the value ends.
  private static let randomLimit = 100_000

  private var source: Source
  private(set) var record = Recording()

  init(seed: UInt64) {
    source = .random(SeededGenerator(seed: seed))
  }

  init(replaying choices: [UInt64]) {
    source = .replay(choices)
  }

  /// Draws a value from another generator.
  public mutating func draw<Value>(_ generator: Generator<Value>) throws(GeneratorError) -> Value {
    try span { choices throws(GeneratorError) in try generator.produce(&choices) }
  }

  /// Draws a number from zero through `limit`, with `pick` or else with a uniform distribution.
  mutating func draw(through limit: UInt64, pick: ((inout SeededGenerator) -> UInt64)? = nil) -> UInt64 {
    let position = record.choices.count
    var value: UInt64 = 0
    switch source {
    case .replay(let values) where position < values.count: value = min(values[position], limit)
    case .random(var numbers) where position < Self.randomLimit:
      value = min(pick?(&numbers) ?? numbers.next(through: limit), limit)
      source = .random(numbers)
    default: break
    }
    record.choices.append(value)
    return value
  }

  /// Draws a hint for later choices without recording it, or returns `nil` during a replay.
  mutating func hint(_ pick: (inout SeededGenerator) -> UInt64) -> UInt64? {
    guard case .random(var numbers) = source else { return nil }
    defer { source = .random(numbers) }
    return pick(&numbers)
  }

  /// Records the choices of `body` as a span, so that shrinking can remove them together.
  mutating func span<Value>(_ body: (inout Choices) throws(GeneratorError) -> Value) throws(GeneratorError) -> Value {
    let (index, start) = (record.spans.count, record.choices.count)
    record.spans.append(start..<start)
    let value = try body(&self)
    record.spans[index] = start..<record.choices.count
    return value
  }

  /// Whether choices are random, so that another attempt can have a different result.
  var isRandom: Bool {
    if case .random = source { true } else { false }
  }

  /// Removes everything that was recorded after `mark`, an earlier record.
  mutating func rewind(to mark: Recording) { record = mark }
}

/// The recorded choices of one value.
struct Recording: Equatable, Sendable {
  var choices: [UInt64] = []
  /// The ranges of choices that belong together, each before the ranges that it contains.
  var spans: [Range<Int>] = []
}

/// A random number generator with the same numbers for the same seed on every platform and in every release.
///
/// Uses SplitMix64 with a period of 2⁶⁴. Use it for test data, not for secrets.
///
/// ```swift
/// var numbers = SeededGenerator(seed: 42)
/// let dice = Int.random(in: 1...6, using: &numbers)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from zero through `limit` with a uniform distribution.
  ///
  /// The standard library's algorithm could change between releases, and then a seed would have other numbers.
  mutating func next(through limit: UInt64) -> UInt64 {
    limit == .max ? next() : next().multipliedFullWidth(by: limit + 1).high
  }

  /// Returns a number from zero through `limit`, which is often a bound or a number with few bits.
  mutating func magnitude(through limit: UInt64) -> UInt64 {
    switch next(through: 15) {
    case 0: return 0
    case 1: return limit
    case 2: return min(limit, 1)
    case 3: return limit - min(limit, 1)
    case 4...9:
      let bits = next(through: UInt64(UInt64.bitWidth - limit.leadingZeroBitCount))
      return bits == 0 ? 0 : next(through: min(limit, UInt64.max >> (64 - bits)))
    default: return next(through: limit)
    }
  }
}
