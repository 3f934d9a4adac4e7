internal import Arguments
internal import OrderTaking
internal import OrderTakingSimulation
internal import Terminal

/// `demo order simulate`: runs one simulation with its trace, or many without.
struct SimulateCommand {
  private let options: SimulateOptions
  private let output: TerminalDevice

  init(_ options: SimulateOptions, _ output: TerminalDevice) {
    self.options = options
    self.output = output
  }

  func run() throws -> ExitCode {
    let mode: Simulation.Mode = options.liveness ? .liveness : .safety
    guard options.count > 1 else {
      var lines: [String] = []
      let report = Simulation(seed: options.seed, mode: mode).run { lines.append($0) }
      try show(lines)
      return try finish([report], worlds: 1, operations: report.operations, hash: report.hash)
    }
    let interrupted = Locked(false)
    let interrupt = Interrupt { interrupted.withLock { $0 = true } }
    defer { withExtendedLifetime(interrupt) {} }
    var summary = SimulationSummary()
    // In batches, so that Ctrl-C takes effect soon.
    for place in stride(from: 0, to: options.count, by: 100) {
      guard summary.failure == nil, !interrupted.withLock({ $0 }) else { break }
      let first = options.seed + UInt64(place)
      summary.add(Simulation.run(seeds: first..<first + UInt64(min(100, options.count - place)), mode: mode))
    }
    let code = try finish(
      summary.failure.map { [$0] } ?? [], worlds: summary.worlds, operations: summary.operations, hash: summary.hash)
    guard summary.worlds < options.count else { return code }
    let (next, left) = (options.seed + UInt64(summary.worlds), options.count - summary.worlds)
    throw OrderError(
      kind: .interrupted,
      description:
        "Interrupted after \(summary.worlds) of \(options.count) simulations. Continue with: demo order simulate "
        + "--seed \(next) --count \(left)\(options.liveness ? " --liveness" : "")")
  }

  private func show(_ lines: [String]) throws {
    struct Line: Encodable { let trace: String }
    try write(lines.map { (options.json ? jsonLine(Line(trace: $0)) : $0) + "\n" }.joined())
  }

  /// Writes text, and ignores a closed reader because the exit code still reports the result.
  private func write(_ text: String) throws {
    do { try output.write(text) } catch { guard error.kind == .closed else { throw error } }
  }

  private func finish(
    _ reports: [SimulationReport], worlds: Int, operations: Int, hash: UInt64
  ) throws -> ExitCode {
    let violations = reports.flatMap(\.violations)
    struct Line: Encodable { let worlds: Int, operations: Int, hash: String, violations: [String] }
    let hash = String(hash, radix: 16)
    try write(
      options.json
        ? jsonLine(
          Line(worlds: worlds, operations: operations, hash: hash, violations: violations.map(\.description))) + "\n"
        : "\(worlds) \(worlds == 1 ? "simulation" : "simulations"), \(operations) operations, hash \(hash), "
          + "\(violations.count) violations\n")
    guard let first = reports.first(where: { !$0.violations.isEmpty }), let violation = first.violations.first else {
      return .success
    }
    throw OrderError(
      kind: .violation,
      description: "Seed \(first.seed): \(violation). Replay it: demo order simulate --seed \(first.seed)"
        + (options.liveness ? " --liveness" : ""))
  }
}
