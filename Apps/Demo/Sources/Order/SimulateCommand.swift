internal import Arguments
internal import OrderTakingSimulation

/// `demo order simulate`: runs one simulation with its trace, or many without.
struct SimulateCommand: Sendable {
  let options: SimulateOptions

  func run() throws -> ExitCode {
    let mode: Simulation.Mode = options.liveness ? .liveness : .safety
    var summary = SimulationSummary()
    if options.count == 1 {
      var trace: [String] = []
      _ = Simulation(seed: options.seed, mode: mode).run { trace.append($0) }
      if !options.output.json { try options.output.lines(trace) }
    }
    // In batches, so that Ctrl-C takes effect soon.
    while summary.worlds < options.count, summary.failure == nil, !Task.isCancelled {
      let first = options.seed + UInt64(summary.worlds)
      let count = UInt64(min(100, options.count - summary.worlds))
      summary.add(Simulation.run(seeds: first..<first + count, mode: mode))
    }
    try show(summary)
    let liveness = options.liveness ? " --liveness" : ""
    if let report = summary.failure, let violation = report.violations.first {
      throw DemoError(
        "Seed \(report.seed): \(violation).", next: "Replay it: demo order simulate --seed \(report.seed)\(liveness)")
    }
    guard summary.worlds < options.count else { return .success }
    let (next, left) = (options.seed + UInt64(summary.worlds), options.count - summary.worlds)
    throw DemoError(
      .interrupted, "Interrupted after \(summary.worlds) of \(options.count) simulations.",
      next: "Continue with: demo order simulate --seed \(next) --count \(left)\(liveness)")
  }

  private func show(_ summary: SimulationSummary) throws {
    struct Line: Encodable { let worlds: Int, operations: Int, hash: String, violations: [String] }
    let violations = summary.failure?.violations.map(\.description) ?? []
    let hash = String(summary.hash, radix: 16)
    try options.output.result(
      Line(worlds: summary.worlds, operations: summary.operations, hash: hash, violations: violations),
      "\(summary.worlds) \(summary.worlds == 1 ? "simulation" : "simulations"), \(summary.operations) operations, "
        + "hash \(hash), \(violations.count) violations")
  }
}
