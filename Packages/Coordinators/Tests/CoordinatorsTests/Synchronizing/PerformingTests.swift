import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// A simulated shell performs commands made for another tree, and gestures.
@Suite("Performing commands")
struct PerformingTests {
  private let tree: Tree
  private let stack: NodeID

  init() throws {
    tree = try Tree(.stack([.screen(.a), .screen(.a)]))
    stack = tree.root.id
  }

  @Test("a command that adds an existing node is refused")
  func addingExistingNodeIsRefused() {
    let there = tree.root.children[0]
    #expect(throws: NavigationError.duplicateNode(there.id)) { try tree.performing([.push([there], onto: stack)]) }
  }

  @Test("a command that exceeds the maximum depth is refused")
  func exceedingMaximumDepthIsRefused() {
    var deep = Node<TestScreen>(id: NodeID(rawValue: 500), owner: "o", content: .screen(.a))
    for id in 501..<628 { deep = Node(id: NodeID(rawValue: id), owner: "o", content: .stack([deep])) }
    #expect(throws: NavigationError.tooDeep(limit: 128)) { try tree.performing([.present(deep, over: stack)]) }
  }

  @Test("a command for a missing node does nothing")
  func commandForMissingNodeDoesNothing() throws {
    let gone = NodeID(rawValue: 99)
    let commands: [NavigationCommand<TestScreen>] = [
      .push([], onto: gone), .pop(to: gone, in: stack), .setStack([.kept(gone)], of: stack), .select(gone, in: stack),
      .setTabs([], selected: 3, of: stack), .dismiss(over: gone), .update(stack, to: .b),
    ]
    #expect(try tree.performing(commands) == tree)
  }

  @Test("gestures do not reach screens below a modal")
  func gesturesDoNotReachBelowModal() throws {
    var shell = Containers<TestScreen>()
    let covered = try tree.applying(.present(.screen(.b), over: stack))
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
    #expect(outcome.discrepancies == [.unexpected(NodeID(rawValue: 1))])
    #expect(outcome.batch?.commands == [.setRoot(pair.core.navigation.root)])
  }
}
