/// One row of the table: something to measure, what to hold it against, and what it may cost.
///
/// ```swift
/// Benchmark("malloc+free", budget: .allocations(atMost: 1)) { iterations in
///   for _ in 0..<iterations { free(identity(malloc(32))) }
/// }
/// ```
///
/// A subject with two baselines or two budgets is two rows that share a body.
public struct Benchmark: Sendable {
  /// The name in the table and the report, unique among all.
  public var name: String

  /// The name of the benchmark that this one's time is divided by.
  ///
  /// It is measured again beside this one.
  public var baseline: String?

  /// What this row may cost at most, or `nil` to only report it.
  public var budget: Budget?

  /// What is measured, and how.
  public var subject: Subject

  /// The ways to measure.
  public enum Subject: Sendable {
    /// Nanoseconds and allocations of one operation. The closure does its operation as often as it is told to.
    case time(@Sendable (_ iterations: Int) async -> Void)

    /// As `time`, of the parts of the closure's work that it hands to the stopwatch; what it does in between is not
    /// measured.
    case part(@Sendable (_ iterations: Int, _ stopwatch: Stopwatch) async -> Void)

    /// Nanoseconds of one operation that takes milliseconds, so that to count its allocations would take minutes. The
    /// closure does its operation as often as it is told to.
    case duration(@Sendable (_ iterations: Int) async -> Void)

    /// The most bytes that are allocated at once while the closure does its operation.
    case peak(@Sendable () async -> Void)

    /// Bytes that stay allocated for each thing. The closure makes as many things as it is told to, and returns what
    /// keeps them alive.
    case bytes(@Sendable (_ count: Int) async -> any Sendable)

    /// A number that the closure finds itself, a depth for instance, with the name of its unit.
    case number(unit: String, @Sendable () async -> Int)
  }

  /// A benchmark of an operation's time and allocations.
  ///
  /// - Parameter body: Does the operation `iterations` times. Hand inputs and results to ``identity(_:)`` or
  ///   ``blackHole(_:)``, or the optimiser may remove the work.
  public init(
    _ name: String, baseline: String? = nil, budget: Budget? = nil,
    body: @escaping @Sendable (_ iterations: Int) async -> Void
  ) {
    self.init(name: name, baseline: baseline, budget: budget, subject: .time(body))
  }

  /// A benchmark of any kind.
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
