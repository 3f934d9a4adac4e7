import Testing

@Suite("Simulated push channels") struct PushSimulationTests {
  private func violations(
    hasFaults: Bool, _ mistake: PushSimulation.Mistake? = nil, seeds: ClosedRange<UInt64>
  ) -> [String] {
    seeds.flatMap { seed in
      var simulation = PushSimulation(seed: seed, hasFaults: hasFaults, mistake: mistake)
      return simulation.run().map { "seed \(seed): \($0)" }
    }
  }

  @Test("without faults, one worker connects once, and stores each push") func oneConnection() {
    #expect(violations(hasFaults: false, seeds: 1...50).prefix(3).isEmpty)
    var simulation = PushSimulation(seed: 1, hasFaults: false)
    _ = simulation.run()
    #expect(simulation.connectCount == 1)
  }

  @Test(
    "workers with pauses, crashes, late statements and lost answers store each push, and never move the checkpoint back"
  )
  func faults() {
    #expect(violations(hasFaults: true, seeds: 1...200).prefix(3).isEmpty)
  }

  @Test("the simulation of push channels finds each mistake", arguments: PushSimulation.Mistake.allCases)
  func mistakes(mistake: PushSimulation.Mistake) {
    #expect([false, true].contains { !violations(hasFaults: $0, mistake, seeds: 1...40).isEmpty })
  }
}
