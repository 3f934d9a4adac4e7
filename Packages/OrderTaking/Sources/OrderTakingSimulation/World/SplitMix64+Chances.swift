internal import OrderTaking

extension SplitMix64 {
  /// Returns a number from zero to just below a limit.
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Returns whether an event with a probability per thousand occurs.
  ///
  /// It uses a number only if the event is possible.
  mutating func happens(_ perThousand: Int) -> Bool { perThousand > 0 && next(below: 1000) < perThousand }
}
