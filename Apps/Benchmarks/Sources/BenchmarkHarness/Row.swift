/// What came out for one benchmark: a line of the table, an object of the report.
public struct Row: Sendable, Equatable {
  /// The benchmark's name.
  public var name: String
  /// The unit of ``minimum`` and ``median``.
  public var unit: String
  /// The least of the samples, for one operation; `nil` when time was not measured.
  public var minimum: Double?
  /// The middle of the samples, for one operation; `nil` when time was not measured.
  public var median: Double?
  /// Allocations of one operation; `nil` where they cannot be counted.
  public var allocations: Double?
  /// The name of the baseline, if there is one.
  public var baseline: String?
  /// The median of (time / the baseline's time taken right beside it).
  public var ratio: Double?
  /// The budget, if there is one.
  public var budget: Budget?

  /// Makes a row.
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

  /// Whether the budget holds; `nil` without a budget or without the measurement that it is about.
  public var within: Bool? { budget.flatMap { $0.admits(self) } }

  /// Whether a counted budget is exceeded: the only thing that makes the run fail.
  public var isFailure: Bool { budget?.isCounted == true && within == false }
}

extension Row: Encodable {
  private enum Key: CodingKey {
    case name, unit, minimum, median, allocations, baseline, ratio, budget, within
  }

  /// Writes all nine keys, with null for what there is not, so that a reader need not ask which are there.
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
