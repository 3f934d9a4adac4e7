import Foundation
import OrderTakingSimulation
import Testing

/// How many worlds are tried; the variable `SIMULATION_SEEDS` asks for more.
private let worlds = ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 1_000

@Suite("In simulated worlds") struct SimulationTests {
  @Test(
    "nothing bad happens, whatever goes wrong, and in the end everything ends",
    arguments: Simulation.Mode.allCases, ["network", "all"])
  func invariants(mode: Simulation.Mode, faults: String) {
    let summary = Simulation.run(seeds: 0..<worlds, faults: faults == "all" ? .all : .network, mode: mode)
    #expect(summary.failure == nil, "seed \(summary.failure?.seed ?? 0): \(summary.failure?.violations ?? [])")
    #expect(summary.worlds == worlds)
  }

  @Test("all kinds of ends come about, and processes die") func coverage() {
    let summary = Simulation.run(seeds: 0..<1_000)
    #expect(
      Set(summary.ends.keys) == [
        "accepted", "accepted without details", "declined", "rejected", "cancelled", "expired", "unknown",
      ])
    #expect(summary.crashes > 1_000)
    #expect(summary.operations > 3_000)
  }

  @Test("nothing goes wrong where nothing can") func noFaults() {
    let summary = Simulation.run(seeds: 0..<300, faults: .none)
    #expect(summary.failure == nil)
    #expect(Set(summary.ends.keys) == ["accepted", "declined"])
  }

  @Test("a process may die at each write to its journal, just before it and just after it") func everyCrashPoint() {
    var deaths = 0
    for seed in 0..<40 as Range<UInt64> {
      let points = Simulation(seed: seed, faults: .network, mode: .liveness).run().crashPoints
      for point in 0..<points {
        let report = Simulation(seed: seed, faults: .network, mode: .liveness, crashPoint: point).run()
        #expect(report.violations.isEmpty, "seed \(seed), crash point \(point): \(report.violations)")
        deaths += report.crashes
      }
    }
    #expect(deaths > 500)
  }

  @Test("every mutant is caught by the invariant that is named for it", arguments: Mutant.allCases)
  func mutants(mutant: Mutant) {
    let mode: Simulation.Mode = [.everyOperationEnds, .everyEndIsTold].contains(mutant.caughtBy) ? .liveness : .safety
    let caught = (0..<2_000 as Range<UInt64>).first { seed in
      Simulation(seed: seed, mode: mode, mutant: mutant).run().violations.contains { $0.invariant == mutant.caughtBy }
    }
    #expect(caught != nil)
  }

  @Test("a failure that was no lie when it was told, and became one, is noticed too") func laterLie() {
    let caught = (0..<4_000 as Range<UInt64>).first { seed in
      let violations = Simulation(seed: seed, mutant: .cancelIsFinal).run().violations
      return !violations.isEmpty && violations.allSatisfy { $0.seen.contains("was accepted on the server later") }
    }
    #expect(caught != nil)
  }

  @Test("every invariant catches a mutant") func invariantsAreNeeded() {
    #expect(Set(Mutant.allCases.map(\.caughtBy)) == Set(Invariant.allCases))
  }
}

@Suite("A simulated world") struct SimulatedWorldTests {
  @Test("is the same for the same seed, and another for another") func deterministic() {
    let reports = (0..<50 as Range<UInt64>).map { Simulation(seed: $0).run() }
    #expect(reports == (0..<50 as Range<UInt64>).map { Simulation(seed: $0).run() })
    #expect(Set(reports.map(\.hash)).count == 50)
    let summaries = [0, 1].map { _ in Simulation.run(seeds: 0..<50) }
    #expect(summaries[0] == summaries[1])
  }

  @Test("is the same whether it is run by itself or after others, and whether it is traced or not") func undisturbed() {
    var lines: [String] = []
    let traced = Simulation(seed: 7).run { lines.append($0) }
    #expect(traced == Simulation(seed: 7).run())
    #expect(lines.count >= traced.events)
    #expect(lines.allSatisfy { $0.contains(" ms ") })
    let last = Simulation.run(seeds: 6..<8)
    #expect(last.operations == traced.operations + Simulation(seed: 6).run().operations)
  }

  @Test("tells in its trace what did not hold") func violationInTrace() throws {
    let seed = try #require(
      (0..<200 as Range<UInt64>).first { !Simulation(seed: $0, mutant: .unknownIsExpired).run().violations.isEmpty })
    var lines: [String] = []
    let report = Simulation(seed: seed, mutant: .unknownIsExpired).run { lines.append($0) }
    #expect(lines.count { $0.contains("VIOLATION") } == report.violations.count)
    #expect(report.violations.first?.description.hasPrefix("no false failure, at ") == true)
    let summary = Simulation.run(seeds: 0..<200, mutant: .unknownIsExpired)
    #expect(summary.failure == report)
    #expect(summary.worlds == Int(seed) + 1)
  }
}
