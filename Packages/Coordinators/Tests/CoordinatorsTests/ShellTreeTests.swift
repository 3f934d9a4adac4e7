import Coordinators
import Testing

@Suite("What a person does to a shell")
struct ShellTreeTests {
  private typealias Tree = ShellTree<String>

  private func tree(_ blueprint: Blueprint<String>) throws -> (Tree, Synchronization<String>) {
    var core = Synchronization(try Navigation(blueprint))
    var tree = Tree()
    if let batch = core.start(), let acknowledgement = try tree.perform(batch) { _ = core.acknowledge(acknowledgement) }
    return (tree, core)
  }

  @Test("goes back: pops first, then closes the modal, and then there is no way back")
  func goesBack() throws {
    let modal = Blueprint<String>.stack([.screen("m1"), .screen("m2")])
    var (tree, _) = try tree(.stack([.screen("a"), .screen("b")]).presenting(modal))
    var seen: [String] = []
    while let behind = tree.screenBehind?.screen {
      let isBack = tree.goBack()
      #expect(isBack && tree.navigation?.front.screen == behind)
      seen.append(behind)
    }
    let more = [tree.goBack(), tree.swipeBack(), tree.dismissModal()]
    #expect(seen == ["m1", "b", "a"] && more == [false, false, false])
  }

  @Test("goes back to any screen, whatever covers it, and to none that is gone")
  func goesBackTo() throws {
    var (tree, core) = try tree(
      .tabs([
        .tab("one", .stack([.screen("a"), .screen("b"), .screen("c")])),
        .tab("two", .stack([.screen("d")]).presenting(.screen("e"))),
      ]))
    #expect(tree.navigation?.front.screen == "c")
    var ids: [String: NodeID] = [:]
    tree.navigation?.root.forEach { if let screen = $0.screen { ids[screen] = $0.id } }
    for (screen, left) in [("e", 5), ("d", 4), ("b", 3), ("a", 2)] {
      let id = try #require(ids[screen])
      let isBack = tree.goBack(to: id)
      #expect(isBack && tree.navigation?.front.screen == screen)
      if let skeleton = tree.skeleton { _ = core.observe(skeleton) }
      #expect(core.isInStep && core.navigation.front.screen == screen)
      var count = 0
      core.navigation.root.forEach { if $0.screen != nil { count += 1 } }
      #expect(count == left)
    }
    let gone = [try #require(ids["c"]), NodeID(rawValue: 99), core.navigation.root.id]
    for id in gone {
      let isBack = tree.goBack(to: id)
      #expect(!isBack, "gone, never there, or no screen: \(id)")
    }
  }

  @Test("selects tabs that are in reach only")
  func tabs() throws {
    let tabs = Blueprint<String>.tabs([.tab("one", .stack([.screen("a"), .screen("b")])), .tab("two", .screen("c"))])
    var (tree, _) = try tree(tabs)
    for (key, reselection, isThere, screen) in [
      ("two", Reselection.stays, true, "c"), ("three", .stays, false, "c"), ("one", .stays, true, "b"),
      ("one", .stays, true, "b"), ("one", .popsToRoot, true, "a"),
    ] {
      let isSelected = tree.select(TabKey(key), reselection: reselection)
      #expect(isSelected == isThere && tree.navigation?.front.screen == screen)
    }
    var (covered, _) = try self.tree(tabs.presenting(.screen("m")))
    let isSelected = covered.select("two")
    #expect(!isSelected && covered.tabsInSight == nil && covered.screenBelowModal?.screen == "b")
  }

  @Test("is always a state that the core follows, from every small tree")
  func everySmallTree() throws {
    var count = 0
    for blueprint in blueprints(upTo: 5) {
      let (tree, core) = try Self.pair(blueprint)
      var screens: [NodeID] = []
      tree.navigation?.root.forEach { if $0.kindIsScreen { screens.append($0.id) } }
      let acts: [(inout ShellTree<TestScreen>) -> Bool] =
        [{ $0.goBack() }, { $0.select("1") }, { $0.dismissModal() }] + screens.map { id in { $0.goBack(to: id) } }
      for act in acts {
        var (tree, core) = (tree, core)
        guard act(&tree), let skeleton = tree.skeleton else { continue }
        let outcome = core.observe(skeleton)
        #expect(outcome.discrepancies.isEmpty && core.navigation.root == tree.navigation?.root, "\(blueprint)")
        count += 1
      }
    }
    #expect(count > 1_000)
  }

  private static func pair(
    _ blueprint: Blueprint<TestScreen>
  ) throws -> (ShellTree<TestScreen>, Synchronization<TestScreen>) {
    var core = Synchronization(try Navigation(blueprint))
    var tree = ShellTree<TestScreen>()
    if let batch = core.start(), let acknowledgement = try tree.perform(batch) { _ = core.acknowledge(acknowledgement) }
    return (tree, core)
  }
}

extension Node {
  fileprivate var kindIsScreen: Bool { screen != nil }
}
