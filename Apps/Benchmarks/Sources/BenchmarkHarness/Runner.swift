import Foundation

/// Measures benchmarks one after the other, each with its baseline.
public struct Runner: Sendable {
  /// The amount of measurement.
  public struct Effort: Sendable, Equatable {
    /// The number of time samples; 0 to measure counts only.
    public var samples: Int
    /// The target duration of a sample, in nanoseconds.
    public var sampleLength: Double
    /// The number of operations in one count of allocations.
    public var counted: Int
    /// The time limit for all samples, in nanoseconds; at least three samples are taken.
    public var longest: Double

    /// Creates an effort.
    public init(samples: Int, sampleLength: Double, counted: Int, longest: Double = 2_000_000_000) {
      self.samples = samples
      self.sampleLength = sampleLength
      self.counted = counted
      self.longest = longest
    }

    /// Measures times and counts.
    public static let full = Effort(samples: 25, sampleLength: 10_000_000, counted: 100)
    /// Measures only counts, which are the same in every run.
    public static let countedOnly = Effort(samples: 0, sampleLength: 0, counted: 100)
  }

  private let benchmarks: [Benchmark]
  private let effort: Effort
  private let now: @Sendable () -> Double

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - benchmarks: All benchmarks. A baseline is looked up here by its name.
  ///   - effort: The amount of measurement.
  ///   - now: The time of a monotonic clock, in nanoseconds.
  public init(_ benchmarks: [Benchmark], effort: Effort, now: @escaping @Sendable () -> Double) {
    self.benchmarks = benchmarks
    self.effort = effort
    self.now = now
  }

  /// Measures one benchmark.
  ///
  /// Samples of the benchmark and of its baseline alternate, so that other load on the machine affects both.
  public func measure(_ benchmark: Benchmark) async -> Row {
    var row = Row(
      name: benchmark.name, unit: benchmark.unit, baseline: benchmark.baseline, budget: benchmark.budget)
    switch benchmark.subject {
    case .time, .part:
      guard let body = timed(benchmark) else { break }
      row.allocations = await allocations(of: { _ = await body($0) })
      await addTimes(of: body, benchmark, to: &row)
    case .duration:
      guard let body = timed(benchmark) else { break }
      await addTimes(of: body, benchmark, to: &row)
    case .peak(let body):
      row.minimum = await peak(of: body)
      row.median = row.minimum
    case .bytes(let body): await addAmount(to: &row) { await bytes(of: body) }
    case .number(_, let body): await addAmount(to: &row) { Double(await body()) }
    }
    return row
  }

  /// Measures an amount, and measures it again while it exceeds its budget, because another thread may disturb it.
  private func addAmount(to row: inout Row, _ measure: () async -> Double?) async {
    for _ in 0..<Self.rounds where row.minimum == nil || row.isFailure {
      guard let amount = await measure() else { return }
      row.minimum = min(row.minimum ?? .infinity, amount)
    }
    row.median = row.minimum
  }

  /// Runs an operation the given number of times, and returns the duration in nanoseconds.
  private typealias Body = @Sendable (Int) async -> Double

  private func timed(_ benchmark: Benchmark) -> Body? {
    let now = now
    switch benchmark.subject {
    case .time(let body), .duration(let body):
      return { iterations in
        let start = now()
        await body(iterations)
        return now() - start
      }
    case .part(let body):
      return { iterations in
        let stopwatch = Stopwatch(now: now)
        await body(iterations, stopwatch)
        return stopwatch.elapsed
      }
    case .bytes, .peak, .number: return nil
    }
  }

  private func addTimes(of body: Body, _ benchmark: Benchmark, to row: inout Row) async {
    guard effort.samples > 0 else { return }
    let baseline = benchmarks.first { $0.name == benchmark.baseline }.flatMap { timed($0) }
    let times = await samples(of: body, beside: baseline)
    row.minimum = times.subject.min()
    row.median = median(times.subject)
    row.ratio = median(zip(times.subject, times.baseline).map { $0 / $1 })
  }

  private func samples(of subject: Body, beside baseline: Body?) async -> (subject: [Double], baseline: [Double]) {
    let subjectIterations = await calibrate(subject)
    var baselineIterations = 0
    if let baseline { baselineIterations = await calibrate(baseline) }
    var times: (subject: [Double], baseline: [Double]) = ([], [])
    let start = now()
    // A slow benchmark gets fewer samples, but at least three.
    for sample in 0..<effort.samples where sample < 3 || now() - start < effort.longest {
      times.subject.append(await time(subject, subjectIterations))
      if let baseline { times.baseline.append(await time(baseline, baselineIterations)) }
    }
    return times
  }

  private func time(_ body: Body, _ iterations: Int) async -> Double {
    await body(iterations) / Double(iterations)
  }

  private func calibrate(_ body: Body) async -> Int {
    var count = 1
    for _ in 0..<12 {
      let took = await time(body, count) * Double(count)
      let next = iterations(tried: count, took: took, toLast: effort.sampleLength)
      if next <= count { return next }
      count = next
    }
    return count
  }

  /// The number of repetitions of a count, because other threads of the process may allocate and free memory too.
  private static let rounds = 5

  /// Returns the minimum of several counts: other threads can only add allocations.
  private func allocations(of body: @Sendable (Int) async -> Void) async -> Double? {
    guard AllocationMeter.isAvailable else { return nil }
    await body(effort.counted)
    var once = Int64.max
    var twice = Int64.max
    for _ in 0..<Self.rounds {
      once = min(once, await AllocationMeter.count { await body(effort.counted) }.allocations)
      twice = min(twice, await AllocationMeter.count { await body(2 * effort.counted) }.allocations)
    }
    return perOperation(once: once, twice: twice, count: effort.counted)
  }

  /// Returns the minimum of several peaks.
  ///
  /// A first run makes the allocations that live as long as the process.
  private func peak(of body: @Sendable () async -> Void) async -> Double? {
    guard AllocationMeter.isAvailable else { return nil }
    await body()
    var least = Int64.max
    for _ in 0..<Self.rounds { least = min(least, await AllocationMeter.count { await body() }.peakBytes) }
    return Double(least)
  }

  /// Returns the median of several counts: other threads can add live bytes, or subtract some by freeing older blocks.
  private func bytes(of body: @Sendable (Int) async -> any Sendable) async -> Double? {
    guard AllocationMeter.isAvailable else { return nil }
    blackHole(await body(effort.counted))
    // Otherwise, blocks could come from slightly larger ones that other benchmarks have freed, and count as large as those.
    let filling = (1...32).flatMap { size in (0..<10_000).map { _ in malloc(16 * size - 8) } }
    defer { filling.forEach { free($0) } }
    var samples: [Double] = []
    for _ in 0..<Self.rounds {
      let once = await AllocationMeter.count { await body(effort.counted) }
      let twice = await AllocationMeter.count { await body(2 * effort.counted) }
      samples.append(perOperation(once: once.liveBytes, twice: twice.liveBytes, count: effort.counted))
    }
    return median(samples)
  }
}
