internal import OrderTaking

/// The source of all random numbers in a world: SplitMix64.
struct SimulatedChance {
  private var bits: SplitMix64

  init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { bits.next() }

  /// Returns a number from zero to just below a limit.
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Returns whether an event with a probability per thousand occurs.
  ///
  /// It uses a number only if the event is possible.
  mutating func happens(_ perThousand: Int) -> Bool { perThousand > 0 && next(below: 1000) < perThousand }
}
