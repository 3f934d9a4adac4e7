import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// What a shell without screens does with commands that were not made for it, and with a person.
@Suite("Commands carried out")
struct PerformingTests {
  private let tree: Tree
  private let stack: NodeID

  init() throws {
    tree = try Tree(.stack([.screen(.a), .screen(.a)]))
    stack = tree.root.id
  }

  @Test("that would put a node where it is already are refused")
  func duplicate() {
    let there = tree.root.children[0]
    #expect(throws: NavigationError.duplicateNode(there.id)) { try tree.performing([.push([there], onto: stack)]) }
  }

  @Test("that would nest deeper than the limit are refused")
  func tooDeep() {
    var deep = Node<TestScreen>(id: NodeID(rawValue: 500), owner: "o", content: .screen(.a))
    for id in 501..<628 { deep = Node(id: NodeID(rawValue: id), owner: "o", content: .stack([deep])) }
    #expect(throws: NavigationError.tooDeep(limit: 128)) { try tree.performing([.present(deep, over: stack)]) }
  }

  @Test("that name what is not there do nothing")
  func nothingThere() throws {
    let gone = NodeID(rawValue: 99)
    let commands: [NavigationCommand<TestScreen>] = [
      .push([], onto: gone), .pop(to: gone, in: stack), .setStack([.kept(gone)], of: stack), .select(gone, in: stack),
      .setTabs([], selected: 3, of: stack), .dismiss(over: gone), .update(stack, to: .b),
    ]
    #expect(try tree.performing(commands) == tree)
  }

  @Test("what is below a modal is out of a person's reach")
  func belowModal() throws {
    var shell = Containers<TestScreen>()
    let covered = try tree.applying(.present(.screen(.b), over: stack))
    var core = Synchronization(covered)
    let first = core.start()
    let batch = try #require(first)
    _ = try shell.perform(batch)
    #expect(!shell.swipeBack() && shell.navigation?.root == covered.root)
    #expect(shell.dismissModal() && shell.swipeBack() && !shell.swipeBack())
  }

  @Test("a shell that says it has a node twice is set up anew")
  func nodeTwice() throws {
    let pair = try Pair(.stack([.screen(.a), .screen(.b)]))
    let one = ShellState(id: NodeID(rawValue: 1), content: .screen)
    let outcome = try pair.observe(ShellState(id: NodeID(rawValue: 0), content: .stack([one, one])))
    #expect(outcome.discrepancies == [.unexpected(NodeID(rawValue: 1))])
    #expect(outcome.batch?.commands == [.setRoot(pair.core.navigation.root)])
  }
}
