internal import OrderTaking

/// The one source of chance in a world: SplitMix64.
struct SimulatedChance {
  private var bits: SplitMix64

  init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { bits.next() }

  /// A number from zero to just below a limit.
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Whether a chance in a thousand comes true; takes a number only when there is a chance at all.
  mutating func happens(_ perThousand: Int) -> Bool { perThousand > 0 && next(below: 1000) < perThousand }
}
