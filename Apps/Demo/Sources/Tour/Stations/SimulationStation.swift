internal import OrderTakingSimulation

extension TourContext {
  /// Runs one simulation with its trace, and many without.
  func simulation() async throws -> TourVisit {
    var trace: [String] = []
    let report = Simulation(seed: seed).run { trace.append($0) }
    var summary = SimulationSummary()
    let (count, batch) = (UInt64(50), UInt64(10))
    // In batches, so that an interrupt takes effect soon.
    for start in stride(from: 0, to: count, by: UInt64.Stride(batch)) {
      if Task.isCancelled { throw CancellationError() }
      // A seed can be close to `UInt64.max`.
      let first = min(seed, .max - count) + start
      let part = Simulation.run(seeds: first..<first + batch)
      try require(part.failure == nil, part.failure?.description ?? "")
      summary.add(part)
      await Task.yield()
    }
    try require(report.violations.isEmpty, report.description)
    return TourVisit(
      summary: "\(summary.worlds) simulations, \(summary.operations) operations, no violations",
      exhibits: [
        .text("Trace of the simulation with seed \(seed)", trace.joined(separator: "\n")),
        .text("Result", report.description),
      ])
  }
}
