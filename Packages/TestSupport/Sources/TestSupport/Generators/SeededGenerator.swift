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

  /// Creates a generator whose numbers depend only on `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
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

  /// Returns `true` once in `count` calls on average.
  mutating func oneIn(_ count: UInt64) -> Bool { next(through: count - 1) == 0 }
}
