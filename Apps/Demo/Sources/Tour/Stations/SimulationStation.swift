internal import OrderTakingSimulation

extension TourContext {
  /// Runs one simulation with its trace, and 200 without.
  func simulation() async throws -> TourVisit {
    var trace: [String] = []
    let report = Simulation(seed: seed).run { trace.append($0) }
    var summary = SimulationSummary()
    let slice: UInt64 = 20
    // In batches, so that an interrupt takes effect soon.
    for start in stride(from: UInt64(0), to: 200, by: UInt64.Stride(slice)) {
      if Task.isCancelled { throw CancellationError() }
      // A seed can be close to `UInt64.max`.
      let first = min(seed, .max - 200) + start
      let part = Simulation.run(seeds: first..<first + slice)
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
