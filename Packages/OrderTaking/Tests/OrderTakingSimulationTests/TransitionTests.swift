import OrderTakingSimulation
import Testing

@Suite("The transitions of an operation") struct TransitionTests {
  @Test("a few worlds take nearly all transitions of the code, and none that is impossible")
  func coverage() {
    let taken = TransitionCounter()
    for mode in Simulation.Mode.allCases {
      let summary = Simulation.run(seeds: 0..<300, mode: mode, counting: taken)
      #expect(summary.failure == nil)
    }
    // `Scripts/simulate --coverage` checks that more worlds take each of them.
    #expect(TransitionTable.missing(taken).count <= 40, "\(TransitionTable.missing(taken).map(\.description))")
    #expect(TransitionTable.impossible.filter { taken.counts[$0] != nil }.map(\.description) == [])
    #expect(Set(taken.counts.keys).subtracting(TransitionTable.all).map(\.description) == [])
  }
}
