import Foundation
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

  @Test("the page Transitions.md is the table of the code") func page() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/OrderTaking/OrderTaking.docc/Transitions.md")
    #expect(try String(contentsOf: page, encoding: .utf8) == TransitionTable.page)
  }
}
