import Foundation
import OrderTaking
import OrderTakingSimulation
import Testing

/// The number of worlds.
///
/// The variable `SIMULATION_SEEDS` overrides it.
private let worlds = ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 200

@Suite("The simulation") struct SimulationTests {
  @Test(
    "every invariant holds in every world",
    arguments: Simulation.Mode.allCases, ["network", "all"])
  func invariants(mode: Simulation.Mode, faults: String) {
    let summary = Simulation.run(seeds: 0..<worlds, faults: faults == "all" ? .all : .network, mode: mode)
    #expect(summary.failure == nil, "seed \(summary.failure?.seed ?? 0): \(summary.failure?.violations ?? [])")
    #expect(summary.worlds == worlds)
  }

  @Test("every outcome occurs, and processes crash") func outcomes() {
    // `keyExpired` is the rarest outcome: one of hundreds of worlds has it.
    let seeds: Range<UInt64> = 1_700..<1_730
    let ends = ends(seeds)
    #expect(
      ends.keys.sorted() == [
        "accepted", "cancelled", "declined", "expired", "keyExpired", "keyMismatch", "rejected", "unknown",
        "unrecorded",
      ])
    #expect(ends["accepted"] == ["accepted(hasDetails: true)", "accepted(hasDetails: false)"])
    #expect(ends["unknown"]?.contains("unknown(fenced)") == true)
    let summary = Simulation.run(seeds: seeds)
    #expect(summary.crashes > 60)
    #expect(summary.operations > 250)
  }

  private func ends(_ seeds: Range<UInt64>, faults: Faults = .all) -> [Substring: Set<Substring>] {
    var ends: [Substring: Set<Substring>] = [:]
    for seed in seeds {
      _ = Simulation(seed: seed, faults: faults).run { line in
        guard let place = line.range(of: ": ended(") else { return }
        let outcome = line[place.upperBound...].dropLast()
        ends[outcome.prefix(while: \.isLetter), default: []].insert(outcome)
      }
    }
    return ends
  }

  @Test("without faults every order is accepted or declined") func noFaults() {
    let summary = Simulation.run(seeds: 0..<200, faults: .none)
    #expect(summary.failure == nil)
    #expect(ends(0..<30, faults: .none).keys.sorted() == ["accepted", "declined"])
  }

  @Test("every invariant holds if a process crashes just before or just after any write to its journal")
  func everyCrashPoint() {
    var crashes = 0
    for seed in 0..<10 as Range<UInt64> {
      let points = Simulation(seed: seed, faults: .network, mode: .liveness).run().crashPoints
      for point in 0..<points {
        let report = Simulation(seed: seed, faults: .network, mode: .liveness, crashPoint: point).run()
        #expect(report.violations.isEmpty, "seed \(seed), crash point \(point): \(report.violations)")
        crashes += report.crashes
      }
    }
    #expect(crashes > 100)
  }

  #if DEBUG
    @Test("every mistake is detected by the invariant that it names", arguments: Mutant.allCases)
    func mutants(mutant: Mutant) {
      let isLiveness = [.everyOperationEnds, .everyEndIsReported].contains(mutant.caughtBy)
      // Two mistakes show in only one of thousands of worlds, so their search begins near such a world.
      let first: UInt64 =
        switch mutant {
        case .trustsWallTime: 4_700
        case .resumesStaleRecords: 5_150
        default: 580
        }
      let caught = (first..<first + 4_000).first { seed in
        var simulation = Simulation(seed: seed, mode: isLiveness ? .liveness : .safety)
        simulation.mutant = mutant
        return simulation.run().violations.contains { $0.invariant == mutant.caughtBy }
      }
      #expect(caught != nil)
    }

    @Test("every invariant detects a mistake") func invariantsAreNeeded() {
      #expect(Set(Mutant.allCases.map(\.caughtBy)) == Set(Invariant.allCases))
    }

    @Test("a failure that becomes false after its report is detected") func laterAcceptance() {
      let caught = (0..<4_000 as Range<UInt64>).first { seed in
        var simulation = Simulation(seed: seed)
        simulation.mutant = .cancelIsFinal
        let violations = simulation.run().violations
        return !violations.isEmpty && violations.allSatisfy { $0.seen.contains("was accepted later") }
      }
      #expect(caught != nil)
    }

    @Test("the trace contains the violated invariants") func violationInTrace() throws {
      let failed = try #require(
        (0..<200 as Range<UInt64>).lazy.compactMap { seed -> Simulation? in
          var simulation = Simulation(seed: seed)
          simulation.mutant = .unknownIsExpired
          return simulation.run().violations.isEmpty ? nil : simulation
        }.first)
      var lines: [String] = []
      let report = failed.run { lines.append($0) }
      #expect(lines.count { $0.contains("VIOLATION") } == report.violations.count)
      #expect(report.violations.first?.description.hasPrefix("no false failure, at ") == true)
    }
  #endif
}

@Suite("A simulated world") struct SimulatedWorldTests {
  @Test("a world is the same for the same seed and different for another seed") func deterministic() {
    let reports = (0..<50 as Range<UInt64>).map { Simulation(seed: $0).run() }
    #expect(reports == (0..<50 as Range<UInt64>).map { Simulation(seed: $0).run() })
    #expect(Set(reports.map(\.hash)).count == 50)
    let summaries = [0, 1].map { _ in Simulation.run(seeds: 0..<50) }
    #expect(summaries[0] == summaries[1])
  }

  @Test("a world is the same alone and after others, with and without a trace") func undisturbed() {
    var lines: [String] = []
    let traced = Simulation(seed: 7).run { lines.append($0) }
    #expect(traced == Simulation(seed: 7).run())
    #expect(lines.count >= traced.events)
    #expect(lines.allSatisfy { $0.contains(" ms ") })
    let last = Simulation.run(seeds: 6..<8)
    #expect(last.operations == traced.operations + Simulation(seed: 6).run().operations)
  }
}
