/// Returns the median; for an even count the mean of the two middle values; `nil` for no values.
public func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// Returns the cost of one operation, without the fixed cost of a run.
///
/// - Parameters:
///   - once: The cost of `count` operations.
///   - twice: The cost of `2 * count` operations.
/// - Returns: The difference divided by `count`.
public func perOperation(once: Int64, twice: Int64, count: Int) -> Double {
  Double(twice - once) / Double(max(count, 1))
}

/// Returns a total divided by a count, rounded up, so that a fraction above a budget exceeds it.
public func roundedUp(_ total: Int, dividedBy count: Int) -> Int {
  let (quotient, remainder) = total.quotientAndRemainder(dividingBy: max(count, 1))
  return remainder > 0 ? quotient + 1 : quotient
}

/// Returns the number of operations for a sample of the target length, based on a trial.
///
/// At least one, and at most ten times the number of tried operations, because the first operations are often slow.
public func iterations(tried: Int, took nanoseconds: Double, toLast target: Double) -> Int {
  guard nanoseconds > 0 else { return tried * 10 }
  return max(1, min(tried * 10, Int(Double(tried) * target / nanoseconds)))
}
