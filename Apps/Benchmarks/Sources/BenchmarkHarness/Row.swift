/// The result of a benchmark: a line of the table, and an object of the report.
public struct Row: Sendable, Equatable {
  /// The benchmark's name.
  public var name: String
  /// The unit of ``minimum`` and ``median``.
  public var unit: String
  /// The minimum of the samples, for one operation; `nil` without a measurement.
  public var minimum: Double?
  /// The median of the samples, for one operation; `nil` without a measurement.
  public var median: Double?
  /// The allocations of one operation; `nil` if they were not counted.
  public var allocations: Double?
  /// The name of the baseline, if any.
  public var baseline: String?
  /// The median of the ratios of a sample's time to the time of the adjacent baseline sample.
  public var ratio: Double?
  /// The budget, if any.
  public var budget: Budget?

  /// Creates a row.
  public init(
    name: String, unit: String, minimum: Double? = nil, median: Double? = nil, allocations: Double? = nil,
    baseline: String? = nil, ratio: Double? = nil, budget: Budget? = nil
  ) {
    self.name = name
    self.unit = unit
    self.minimum = minimum
    self.median = median
    self.allocations = allocations
    self.baseline = baseline
    self.ratio = ratio
    self.budget = budget
  }

  /// Whether the result is within the budget; `nil` without a budget or without its measurement.
  public var within: Bool? { budget.flatMap { $0.admits(self) } }

  /// Whether a counted budget is exceeded, which fails the run.
  public var isFailure: Bool { budget?.isCounted == true && within == false }
}

extension Row: Encodable {
  private enum Key: CodingKey {
    case name, unit, minimum, median, allocations, baseline, ratio, budget, within
  }

  /// Encodes all nine keys, with null for absent values.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(unit, forKey: .unit)
    try object.encode(minimum, forKey: .minimum)
    try object.encode(median, forKey: .median)
    try object.encode(allocations, forKey: .allocations)
    try object.encode(baseline, forKey: .baseline)
    try object.encode(ratio, forKey: .ratio)
    try object.encode(budget, forKey: .budget)
    try object.encode(within, forKey: .within)
  }
}
