internal import OrderTakingSimulation

extension TourWorld {
  /// One world with its trace, and many without.
  func simulation() async throws -> TourVisit {
    var trace: [String] = []
    let report = Simulation(seed: seed).run { trace.append($0) }
    var summary = SimulationSummary()
    let slice: UInt64 = 50
    // In slices, so that an interrupt is not kept waiting.
    for start in stride(from: UInt64(0), to: 1_000, by: UInt64.Stride(slice)) {
      if Task.isCancelled { throw CancellationError() }
      // Seeds may be as large as there are numbers.
      let first = min(seed, .max - 1_000) + start
      let part = Simulation.run(seeds: first..<first + slice)
      try require(part.failure == nil, part.failure?.description ?? "")
      summary.add(part)
      await Task.yield()
    }
    try require(report.violations.isEmpty, report.description)
    return TourVisit(
      summary: "\(summary.worlds) worlds, \(summary.operations) operations, no violation",
      exhibits: [
        .text("The world of seed \(seed)", trace.joined(separator: "\n")), .text("Its end", report.description),
      ])
  }
}
