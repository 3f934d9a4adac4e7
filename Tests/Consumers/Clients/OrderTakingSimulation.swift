// A client of `OrderTakingSimulation`: it searches for a failing seed and prints its trace.

import OrderTakingSimulation

func search(through seeds: Range<UInt64>) -> String {
  let summary = Simulation.run(seeds: seeds, faults: .all, mode: .liveness)
  guard let failure = summary.failure else { return "\(summary.worlds) worlds, \(summary.operations) operations" }
  var story: [String] = []
  _ = Simulation(seed: failure.seed, mode: .liveness).run { story.append($0) }
  return story.joined(separator: "\n")
}

func states() -> Int { ModelChecker().run().states }
