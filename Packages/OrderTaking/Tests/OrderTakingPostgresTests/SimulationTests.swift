import Testing

@Suite("Simulated workers") struct SimulationTests {
  private func violations(
    _ mistake: Mistake? = nil, _ faults: [SimulatedFaults] = SimulatedFaults.allCases, seeds: ClosedRange<UInt64>
  ) -> [String] {
    seeds.flatMap { seed in
      faults.flatMap { faults in
        var simulation = WorkerSimulation(seed: seed, faults: faults, mistake: mistake)
        return simulation.run().map { "seed \(seed), faults \(faults): \($0)" }
      }
    }
  }

  @Test(
    "workers with pauses, crashes, lost answers, lost notifications and wrong clocks send one key for each order, and deliver each result",
    arguments: [SimulatedFaults.none, .workers, .synchronousFailOver])
  func invariants(faults: SimulatedFaults) {
    #expect(violations(nil, [faults], seeds: 1...50).prefix(3).isEmpty)
  }

  @Test("after a fail-over that loses confirmed transactions, each order is accepted once and each result delivered")
  func failOver() {
    #expect(violations(nil, [.failOver], seeds: 1...100).prefix(3).isEmpty)
  }

  @Test("only a fail-over that loses confirmed transactions can lead to a second key of an order") func secondKey() {
    func maximum(_ faults: SimulatedFaults) -> Int {
      (UInt64(1)...50).flatMap { seed in
        var simulation = WorkerSimulation(seed: seed, faults: faults)
        _ = simulation.run()
        return simulation.puts.values.map(\.count)
      }.max() ?? 0
    }
    #expect(maximum(.synchronousFailOver) == 1)
    #expect(maximum(.failOver) > 1)
  }

  @Test("the simulation finds each mistake", arguments: Mistake.allCases) func mistakes(mistake: Mistake) {
    #expect((1...40).contains { !violations(mistake, [.none, .workers], seeds: $0...$0).isEmpty })
  }
}
