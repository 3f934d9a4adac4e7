internal import Arguments
internal import OrderTakingSimulation

/// `demo order simulate`: runs one simulation with its trace, or many without.
struct SimulateCommand: DemoCommand {
  let seed: UInt64
  let count: Int
  let output: Output

  static let declaration = Command<any DemoCommand>(
    "simulate", abstract: "Run many simulations, or one with a readable trace.",
    examples: [CommandExample("demo order simulate --seed 42", "Print the trace of one simulation.")],
    output: { (seed: UInt64?, count: Int, json: Bool) throws(ValidationError) in
      try reject(!(1...100_000_000).contains(count), "'--count' must be a number from 1 to 100000000, not \(count).")
      let seed = seed ?? 1
      try reject(
        seed > .max - UInt64(count),
        "The last seed must be at most \(UInt64.max - 1). Give a smaller '--seed' or '--count'.")
      return SimulateCommand(seed: seed, count: count, output: Output(json: json))
    }
  ) {
    CommonOptions.seed
    Option<Int>(
      "count", default: 1, valueName: "count", help: "Number of simulations. Only a single simulation prints its trace."
    )
    CommonOptions.json
  }

  func run() throws -> ExitCode {
    var summary = SimulationReport()
    if count == 1 {
      var trace: [String] = []
      _ = Simulation(seed: seed).run { trace.append($0) }
      if !output.json { try output.lines(trace) }
    }
    // In batches, so that Ctrl-C takes effect soon.
    while summary.worlds < count, summary.violations.isEmpty, !Task.isCancelled {
      let first = seed + UInt64(summary.worlds)
      let count = UInt64(min(100, count - summary.worlds))
      summary.add(Simulation.run(seeds: first..<first + count))
    }
    try show(summary)
    if let violation = summary.violations.first {
      throw DemoError("\(violation).", next: "Replay it: demo order simulate --seed \(violation.seed)")
    }
    guard summary.worlds < count else { return .success }
    let (next, left) = (seed + UInt64(summary.worlds), count - summary.worlds)
    throw DemoError(
      .interrupted, "Interrupted after \(summary.worlds) of \(count) simulations.",
      next: "Continue with: demo order simulate --seed \(next) --count \(left)")
  }

  private func show(_ summary: SimulationReport) throws {
    struct Line: Encodable { let worlds: Int, operations: Int, hash: String, violations: [String] }
    let violations = summary.violations.map(\.description)
    let hash = String(summary.hash, radix: 16)
    try output.result(
      Line(worlds: summary.worlds, operations: summary.operations, hash: hash, violations: violations),
      "\(summary.worlds) \(summary.worlds == 1 ? "simulation" : "simulations"), \(summary.operations) operations, "
        + "hash \(hash), \(violations.count) violations")
  }
}
