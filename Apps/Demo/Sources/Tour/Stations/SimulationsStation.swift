internal import OrderTakingSimulation

extension Station {
  static let simulations = Station(
    title: "Simulations", packages: ["OrderTaking"],
    about: "Takes orders in simulations with random faults, and checks the invariants in each."
  ) { tour in
    var trace: [String] = []
    let seed = min(tour.seed, .max - 50)
    let report = Simulation(seed: seed).run { trace.append($0) }
    try tour.require(report.violations.isEmpty, report.description)
    let summary = Simulation.run(seeds: seed..<seed + 50)
    try tour.require(summary.violations.isEmpty, summary.description)
    return TourVisit(
      summary: "\(summary.worlds) simulations, \(summary.operations) operations, no violations",
      exhibits: [
        .text("Trace of the simulation with seed \(seed)", trace.joined(separator: "\n")),
        .text("Result", report.description),
      ])
  }
}
