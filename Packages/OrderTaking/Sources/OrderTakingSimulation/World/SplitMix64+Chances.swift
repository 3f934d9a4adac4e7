internal import OrderTaking

extension SplitMix64 {
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Uses a random number only if the event is possible.
  mutating func happens(_ perThousand: Int) -> Bool { perThousand > 0 && next(below: 1000) < perThousand }
}
