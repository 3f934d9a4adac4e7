import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

@Suite("Gestures and mistakes of a shell")
struct GestureTests {
  @Test("gestures do not reach screens below a modal")
  func gesturesDoNotReachBelowModal() throws {
    var shell = Containers<TestScreen>()
    let covered = try Tree(.stack([.screen(.a), .screen(.a)]).presenting(.screen(.b)))
    var core = Synchronization(covered)
    let first = core.start()
    let batch = try #require(first)
    _ = try shell.perform(batch)
    #expect(!shell.swipeBack() && shell.navigation?.root == covered.root)
    #expect(shell.dismissModal() && shell.swipeBack() && !shell.swipeBack())
  }

  @Test("a shell that reports a node twice receives a new root")
  func duplicateNodeResetsShell() throws {
    let pair = try Pair(.stack([.screen(.a), .screen(.b)]))
    let one = ShellState(id: NodeID(rawValue: 1), content: .screen)
    let outcome = try pair.observe(ShellState(id: NodeID(rawValue: 0), content: .stack([one, one])))
    #expect(outcome.discrepancies == [NodeID(rawValue: 1)])
    #expect(outcome.batch?.commands == [.setRoot(pair.core.navigation.root)])
  }
}
