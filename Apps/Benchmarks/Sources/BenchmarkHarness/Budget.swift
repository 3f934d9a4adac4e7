/// The most that a benchmark may cost.
public struct Budget: Sendable, Equatable, Encodable {
  /// What is limited.
  public enum Limit: String, Sendable, Encodable {
    /// Allocations of one operation.
    case allocations
    /// The minimum of a counted amount: bytes, a depth.
    case amount
    /// The time of one operation divided by its baseline's.
    case ratio
  }

  /// What is limited.
  public var limits: Limit

  /// The greatest value that is within the budget.
  public var most: Double

  /// At most so many allocations for one operation.
  public static func allocations(atMost most: Double) -> Budget { Budget(limits: .allocations, most: most) }

  /// At most so many bytes, frames or whatever the benchmark's unit is.
  public static func amount(atMost most: Double) -> Budget { Budget(limits: .amount, most: most) }

  /// At most so many times as long as the baseline.
  public static func ratio(atMost most: Double) -> Budget { Budget(limits: .ratio, most: most) }

  /// Whether the budget is of something that comes out the same in every run, so that exceeding it is a failure.
  public var isCounted: Bool { limits != .ratio }

  /// Whether the measured value is within the budget, or `nil` when it was not measured.
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
