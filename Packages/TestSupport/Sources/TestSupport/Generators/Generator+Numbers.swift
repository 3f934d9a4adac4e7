extension Generator where Value == Bool {
  /// A generator of both Boolean values, which shrinks towards `false`.
  public static var bool: Generator {
    Generator { choices in choices.draw(through: 1) == 1 }
  }
}

extension Generator where Value == UInt64 {
  /// A generator of all 64-bit numbers, which prefers small ones and the maximum, and shrinks towards zero.
  public static var uint64: Generator {
    Generator { choices in choices.draw(through: .max) { $0.magnitude(through: .max) } }
  }
}

extension Generator where Value == Int {
  /// A generator of all integers, which prefers small ones and the extremes, and shrinks towards zero.
  public static var int: Generator { .int(in: .min ... .max) }

  /// A generator of the integers in a range, which prefers small numbers and the bounds.
  ///
  /// Shrinks towards the number in the range that is closest to zero, and from negative to positive.
  public static func int(in range: ClosedRange<Int>) -> Generator {
    let origin = min(max(0, range.lowerBound), range.upperBound)
    let below = UInt64(UInt(bitPattern: origin &- range.lowerBound))
    let above = UInt64(UInt(bitPattern: range.upperBound &- origin))
    return Generator { choices in
      let isBelow = choices.drawSide(below: below > 0, above: above > 0)
      let limit = isBelow ? below : above
      let distance = Int(truncatingIfNeeded: choices.draw(through: limit) { $0.magnitude(through: limit) })
      return isBelow ? origin &- distance : origin &+ distance
    }
  }
}

extension Generator where Value == Double {
  /// A generator of the finite numbers in a range, which prefers whole numbers and the bounds.
  ///
  /// Shrinks towards the number in the range that is closest to zero, from negative to positive, and to whole numbers
  /// or simple fractions before others. An infinite bound counts as the greatest finite number.
  public static func double(in range: ClosedRange<Double>) -> Generator {
    let greatest = Double.greatestFiniteMagnitude
    let lower = min(max(range.lowerBound, -greatest), greatest)
    let upper = min(max(range.upperBound, -greatest), greatest)
    let origin = min(max(0, lower), upper)
    return Generator { choices in
      let isBelow = choices.drawSide(below: lower < origin, above: upper > origin)
      let distance = choices.drawDistance(through: isBelow ? origin - lower : upper - origin)
      return isBelow ? max(lower, origin - distance) : min(upper, origin + distance)
    }
  }
}

extension Choices {
  /// Draws whether a number lies below the origin, if the range has both sides; above counts as simpler.
  fileprivate mutating func drawSide(below: Bool, above: Bool) -> Bool {
    below && above ? draw(through: 1) == 1 : below
  }

  /// Draws a distance as a whole part and a fraction, scaled by a power of two if the limit exceeds 2⁵³.
  fileprivate mutating func drawDistance(through limit: Double) -> Double {
    let exact = 0x1p53
    let scales = limit > exact ? UInt64(limit.exponent - 52) : 0
    let scale = scales == 0 ? 0 : draw(through: scales)
    // Draw the precision of the fraction first, so that shrinking tries whole numbers and halves first.
    let bits = draw(through: 52) { $0.oneIn(4) ? 0 : $0.next(through: 52) }
    let whole = draw(through: UInt64(min(limit, exact))) { $0.magnitude(through: UInt64(min(limit, exact))) }
    let fraction = Double(draw(through: (1 << bits) - 1)) / Double(UInt64(1) << bits)
    return min(limit, (Double(whole) + fraction) * Double(sign: .plus, exponent: Int(scale), significand: 1))
  }
}

extension SeededGenerator {
  /// A number from zero through `limit`, which is often a bound or a number with few bits.
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
