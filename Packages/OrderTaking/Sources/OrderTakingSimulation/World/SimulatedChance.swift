/// The one source of chance in a world: SplitMix64.
struct SimulatedChance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return mixed(state)
  }

  /// A number from zero to just below a limit.
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Whether a chance in a thousand comes true; takes a number only when there is a chance at all.
  mutating func happens(_ perThousand: Int) -> Bool { perThousand > 0 && next(below: 1000) < perThousand }
}

/// The bits of a number, well stirred.
func mixed(_ number: UInt64) -> UInt64 {
  var number = number
  number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
  number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
  return number ^ (number >> 31)
}
