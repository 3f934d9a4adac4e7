import TestSupport
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// A search over all batches checks that no smaller batch leads to the same tree.
///
/// A node that keeps its position must stay, because a new node loses the user's state.
///
/// The search omits commands that cannot help. It sets stacks instead of pushing and popping. It creates no new root
/// when a node must stay, no node of neither tree, and no list that is longer than before and after. It covers the
/// results of all pairs of intents on every tree of up to three nodes. On trees of up to four nodes it covers two to
/// four random intents, if their batch has at most three commands.
@Suite("Minimal batches")
struct MinimalityTests {
  @Test("no smaller batch leads from any small tree to a result of two intents")
  func batchAfterTwoIntentsIsMinimal() throws {
    var lengths: [Int: Int] = [:]
    for tree in try blueprints(upTo: 3).map({ try Tree($0) }) {
      var seen: Set<Tree> = []
      for middle in outcomes(of: tree) {
        for after in outcomes(of: middle) where seen.insert(after).inserted {
          let batch = after.commands(from: tree)
          lengths[batch.count, default: 0] += 1
          guard !hasBatch(shorterThan: batch.count, from: tree, to: after) else {
            Issue.record("\(tree) to \(after) takes fewer commands than \(batch)")
            return
          }
          // The search must find the batch itself; otherwise its result would mean nothing.
          guard batch.count > 1 || hasBatch(shorterThan: batch.count + 1, from: tree, to: after) else {
            Issue.record("the search does not find \(batch) from \(tree) to \(after)")
            return
          }
        }
      }
    }
    #expect(lengths == [0: 36, 1: 532, 2: 453])
  }

  @Test("no smaller batch leads from a random tree to another that shares nodes")
  func batchBetweenRandomTreesIsMinimal() throws {
    let pairs = Generator<[Int]>.array(of: .int(in: 0...1_000), count: 3...5)
    try checkProperty("no batch is smaller", count: 150, pairs) { choices in
      let plans = blueprints(upTo: 4)
      let old = try Tree(plans[choices[0] % plans.count])
      var new = old
      for choice in choices[1...] {
        let all = intents(for: new).filter { intent in (try? new.applying(intent)) != nil }
        try new.apply(all[choice % all.count])
      }
      let batch = new.commands(from: old)
      return batch.count > 3 || !hasBatch(shorterThan: batch.count, from: old, to: new)
    }
  }

  @Test("a batch for an equal tree is empty, and a batch for a completely new tree is one command")
  func batchForNewTreeIsOneCommand() throws {
    let tree = try Tree(.stack([.screen(.a), .screen(.a)]))
    #expect(tree.commands(from: tree).isEmpty)
    let other = try tree.applying(.replace(tree.root.id, with: .screen(.b)))
    #expect(other.commands(from: tree) == [.setRoot(other.root)])
  }

  @Test("a batch for a reordered stack is one command")
  func batchForReorderedStackIsOneCommand() throws {
    var tree = try Tree(.stack([.screen(.a), .screen(.a), .screen(.a)]))
    let old = tree
    tree.root.content = .stack([old.root.children[2], old.root.children[0]])
    #expect(tree.commands(from: old).count == 1)
    #expect(try old.performing(tree.commands(from: old)).root == tree.root)
  }

  @Test("a batch that moves the top of a stack down and changes it shows no intermediate screen")
  func reorderedStackShowsNoIntermediateScreen() throws {
    let old = try Tree(.stack([.screen(.a), .stack([.screen(.a)])]))
    var new = try old.applying(.push(.screen(.b), onto: old.root.children[1].id))
    new.root.content = .stack([new.root.children[1], new.root.children[0]])
    var state = old
    var sights = [old.front.id]
    for command in new.commands(from: old) {
      state = try state.performing([command])
      sights.append(state.front.id)
    }
    #expect(sights == [old.front.id, new.front.id, new.front.id])
  }

  /// Searches breadth-first over all commands that keep the staying nodes.
  private func hasBatch(shorterThan limit: Int, from old: Tree, to new: Tree) -> Bool {
    let staying = old.ids.filter { id in new[id].map { old[id]?.isSame(as: $0) ?? false } ?? false }
    var states: Set<Node<TestScreen>> = [old.root]
    for length in 0..<max(0, limit) {
      if states.contains(new.root) { return true }
      // The states after the longest batches are not needed.
      if length == limit - 1 { return false }
      states = states.reduce(into: []) { next, root in
        let state = Tree(root: root, nextID: old.nextID)
        for command in everyCommand(for: state, towards: new, staysEmpty: staying.isEmpty) {
          guard let after = try? state.performing([command]), after.ids.isSuperset(of: staying) else { continue }
          next.insert(after.root)
        }
      }
    }
    return false
  }

  private func everyCommand(for state: Tree, towards goal: Tree, staysEmpty: Bool) -> [NavigationCommand<TestScreen>] {
    let present = state.ids
    var new: [Node<TestScreen>] = []
    var screens: Set<TestScreen> = []
    goal.root.forEach { node in
      if !present.contains(node.id) { new.append(node) }
      if let screen = node.screen { screens.insert(screen) }
    }
    var found: [NavigationCommand<TestScreen>] = staysEmpty ? [.setRoot(goal.root)] : []
    state.root.forEach { node in
      found += new.map { .present($0, over: node.id) } + [.dismiss(over: node.id)]
      let elements = node.children.map { NavigationCommand<TestScreen>.Element.kept($0.id) } + new.map { .new($0) }
      switch node.content {
      case .screen: found += screens.map { .update(node.id, to: $0) }
      case .stack:
        // A list longer than before and after cannot help: no other command depends on it.
        let longest = max(node.children.count, goal[node.id]?.children.count ?? 0)
        found += lists(of: elements, upTo: longest).map { .setStack($0, of: node.id) }
      case .tabs:
        found += node.children.map { .select($0.id, in: node.id) }
        guard case .tabs(let tabs, _)? = goal[node.id]?.content else { break }
        for selected in tabs.indices {
          for list in lists(of: elements, upTo: tabs.count) where list.count == tabs.count {
            let commandTabs = zip(tabs, list).map { NavigationCommand<TestScreen>.Tab(key: $0.key, element: $1) }
            found.append(.setTabs(commandTabs, selected: selected, of: node.id))
          }
        }
      }
    }
    return found
  }

  private func lists<Element>(of elements: [Element], upTo limit: Int) -> [[Element]] {
    var all: [[Element]] = []
    var last: [[Element]] = [[]]
    for _ in 0..<limit {
      last = last.flatMap { list in elements.map { list + [$0] } }
      all += last
    }
    return all
  }
}
