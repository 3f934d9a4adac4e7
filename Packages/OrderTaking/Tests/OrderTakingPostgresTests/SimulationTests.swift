import Testing

@Suite("Simulated workers") struct SimulationTests {
  private func violations(_ mistake: Mistake? = nil, seeds: ClosedRange<UInt64>) -> [String] {
    seeds.flatMap { seed in
      [true, false].flatMap { hasFaults in
        var simulation = WorkerSimulation(seed: seed, hasFaults: hasFaults, mistake: mistake)
        return simulation.run().map { "seed \(seed), \(hasFaults ? "with" : "without") faults: \($0)" }
      }
    }
  }

  @Test(
    "workers with pauses, crashes, lost answers and wrong clocks send one key for each order, and deliver each result")
  func invariants() {
    #expect(violations(seeds: 1...50).prefix(3).isEmpty)
  }

  @Test("the simulation finds each mistake", arguments: Mistake.allCases) func mistakes(mistake: Mistake) {
    #expect(!violations(mistake, seeds: 1...40).isEmpty)
  }
}
