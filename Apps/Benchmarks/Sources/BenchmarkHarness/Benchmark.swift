/// A row of the table: the work to measure, its baseline and its budget.
///
/// ```swift
/// Benchmark("malloc+free", budget: .allocations(atMost: 1)) { iterations in
///   for _ in 0..<iterations { free(identity(malloc(32))) }
/// }
/// ```
///
/// Use two rows with the same body for a subject with two baselines or two budgets.
public struct Benchmark: Sendable {
  /// The unique name in the table and the report.
  public var name: String

  /// The name of the baseline, or `nil` for none.
  ///
  /// The baseline is measured again, alternating with this benchmark. Their times give the ratio.
  public var baseline: String?

  /// The limit of this row, or `nil` to only report the result.
  public var budget: Budget?

  /// The work to measure, and the kind of measurement.
  public var subject: Subject

  /// The kinds of measurement.
  public enum Subject: Sendable {
    /// The nanoseconds and allocations of one operation.
    ///
    /// The closure performs the operation `iterations` times.
    case time(@Sendable (_ iterations: Int) async -> Void)

    /// The nanoseconds of the work inside the stopwatch's closures, and the allocations of one whole operation.
    case part(@Sendable (_ iterations: Int, _ stopwatch: Stopwatch) async -> Void)

    /// The nanoseconds of one operation, without allocations.
    ///
    /// For operations of milliseconds: counting their allocations would take minutes.
    case duration(@Sendable (_ iterations: Int) async -> Void)

    /// The peak of allocated bytes while the closure runs.
    case peak(@Sendable () async -> Void)

    /// The bytes that stay allocated for each object.
    ///
    /// The closure makes `count` objects and returns a value that keeps them alive.
    case bytes(@Sendable (_ count: Int) async -> any Sendable)

    /// A number that the closure measures itself, such as a depth, with its unit.
    case number(unit: String, @Sendable () async -> Int)

    /// The measurements that a budget can limit.
    var measured: [Budget.Limit] {
      switch self {
      case .time, .part: [.allocations, .ratio]
      case .duration: [.ratio]
      case .bytes, .peak, .number: [.amount]
      }
    }
  }

  /// Creates a benchmark of the time and allocations of an operation.
  ///
  /// - Parameter body: Performs the operation `iterations` times. Pass inputs to ``identity(_:)`` and results to
  ///   ``blackHole(_:)``, or the optimiser may remove the work.
  public init(
    _ name: String, baseline: String? = nil, budget: Budget? = nil,
    body: @escaping @Sendable (_ iterations: Int) async -> Void
  ) {
    self.init(name: name, baseline: baseline, budget: budget, subject: .time(body))
  }

  /// Creates a benchmark of any kind.
  public init(name: String, baseline: String? = nil, budget: Budget? = nil, subject: Subject) {
    self.name = name
    self.baseline = baseline
    self.budget = budget
    self.subject = subject
  }

  /// The unit of the minimum and the median: `ns`, `bytes`, or the subject's own.
  public var unit: String {
    switch subject {
    case .time, .part, .duration: "ns"
    case .bytes, .peak: "bytes"
    case .number(let unit, _): unit
    }
  }
}
