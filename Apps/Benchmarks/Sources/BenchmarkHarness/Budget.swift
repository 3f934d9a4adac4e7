/// The maximum cost of a benchmark.
public struct Budget: Sendable, Equatable, Encodable {
  /// The limited measurement.
  public enum Limit: String, Sendable, Encodable {
    /// The allocations of one operation.
    case allocations
    /// The minimum of a counted amount, such as bytes or a depth.
    case amount
    /// The time of one operation divided by the time of its baseline.
    case ratio
  }

  /// The limited measurement.
  public var limits: Limit

  /// The maximum value within the budget.
  public var most: Double

  /// Limits the allocations of one operation.
  public static func allocations(atMost most: Double) -> Budget { Budget(limits: .allocations, most: most) }

  /// Limits a counted amount, in the unit of the benchmark.
  public static func amount(atMost most: Double) -> Budget { Budget(limits: .amount, most: most) }

  /// Limits the time, as a multiple of the baseline's time.
  public static func ratio(atMost most: Double) -> Budget { Budget(limits: .ratio, most: most) }

  /// Whether the measurement is the same in every run, so that exceeding the budget is a failure.
  public var isCounted: Bool { limits != .ratio }

  /// Returns whether the measured value is within the budget; `nil` if it was not measured.
  public func admits(_ row: Row) -> Bool? {
    let value =
      switch limits {
      case .allocations: row.allocations
      case .amount: row.minimum
      case .ratio: row.ratio
      }
    return value.map { $0 <= most }
  }
}
