/// The middle of the values; the mean of the two middle ones when their number is even; `nil` when there are none.
public func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The cost of one operation, without what a run costs whatever its length.
///
/// - Parameters:
///   - once: The cost of `count` operations.
///   - twice: The cost of `2 * count` operations.
/// - Returns: What each of the further `count` operations added.
public func perOperation(once: Int64, twice: Int64, count: Int) -> Double {
  Double(twice - once) / Double(max(count, 1))
}

/// How many operations to do in a sample, from how long some took.
///
/// Never fewer than one, and never more than ten times as many as were tried: the first ones are often slow.
public func iterations(tried: Int, took nanoseconds: Double, toLast target: Double) -> Int {
  guard nanoseconds > 0 else { return tried * 10 }
  return max(1, min(tried * 10, Int(Double(tried) * target / nanoseconds)))
}
