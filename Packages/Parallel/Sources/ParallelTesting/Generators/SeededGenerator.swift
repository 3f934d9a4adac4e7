/// A source of random numbers that is the same for the same seed, on every platform and in every release.
///
/// SplitMix64: 64 bits of state, a period of 2⁶⁴, good enough to make test data and never to be used for secrets.
///
/// ```swift
/// var numbers = SeededGenerator(seed: 42)
/// let dice = Int.random(in: 1...6, using: &numbers)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a source whose numbers depend on `seed` alone; every value is a good seed.
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

  /// A number from zero through `limit`, each about as likely as any other.
  ///
  /// Ours rather than the standard library's, whose method may change between releases and with it every seed's meaning.
  mutating func next(through limit: UInt64) -> UInt64 {
    limit == .max ? next() : next().multipliedFullWidth(by: limit + 1).high
  }

  /// True once in `count` times.
  mutating func oneIn(_ count: UInt64) -> Bool { next(through: count - 1) == 0 }
}
