import Futures
import Testing

@testable import Coordinators

/// A saved state can name any owners of its screens.
///
/// The cost is the number of traversals of all nodes.
@MainActor
@Suite("Coordinators of a saved state")
struct OrphanTests {
  private func saved(_ count: Int, depth: Int = 1) throws -> Navigation<Plain> {
    let others = (0..<count).map { index in
      let owner = CoordinatorID("root/x\(index)" + String(repeating: "/a", count: depth - 1))
      return Blueprint<Plain>.screen(.second).owned(by: owner)
    }
    return try Navigation(.stack([.screen(.first)] + others), owner: "root")
  }

  @Test("reporting and removing orphans traverses the nodes a constant number of times")
  func orphansCostConstantTraversals() throws {
    var traversals: Set<Int> = []
    for (count, depth) in [(5, 1), (500, 1), (99, 100)] {
      let stage = Stage(restoring: try saved(count, depth: depth))
      #expect(stage.reports.count == count * depth && stage.navigator.coordinators == ["root"])
      #expect(stage.navigator.orphans == (0..<count).map { CoordinatorID("root/x\($0)") }.sorted { $0.path < $1.path })
      #expect(stage.navigator.removeOrphans() && stage.navigator.orphans.isEmpty)
      #expect(stage.tree == "#0[#1 first]" && stage.reports.count == count * depth)
      traversals.insert(stage.navigator.traversals)
    }
    #expect(traversals.count == 1 && (traversals.max() ?? .max) <= 4, "\(traversals)")
  }

  @Test("restoring and unwinding coordinators traverses the nodes a constant number of times")
  func restoringCostsConstantTraversals() throws {
    var traversals: Set<Int> = []
    for (count, depth) in [(5, 1), (500, 1), (9, 100)] {
      let stage = Stage(restoring: try saved(count, depth: depth), adopts: true)
      #expect(stage.navigator.coordinators.count == 1 + count * depth && stage.reports.isEmpty)
      stage.root.unwind()
      #expect(stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
      traversals.insert(stage.navigator.traversals)
    }
    #expect(traversals.count == 1 && (traversals.max() ?? .max) <= 4, "\(traversals)")
  }

  @Test("orphans are reported in the order of their paths")
  func orphansAreReportedInOrder() throws {
    let stage = Stage(restoring: try saved(20))
    let short = (0..<10).map { CoordinatorReport.notRestored(CoordinatorID("root/x\($0)")) }
    let long = (10..<20).map { CoordinatorReport.notRestored(CoordinatorID("root/x\($0)")) }
    #expect(stage.reports == short + long)
  }

  @Test("orphans are removed in one event, and stay if one of them is the content of a tab")
  func orphansAreRemovedInOneEvent() throws {
    let stage = Stage(restoring: try saved(20))
    let before = stage.updates
    #expect(stage.navigator.removeOrphans() && stage.updates == before + 1)
    #expect(stage.navigator.removeOrphans(), "there is nothing left to do")

    let tabs = Blueprint<Plain>.tabs([
      .tab("x", .stack([.screen(.first)]).owned(by: "root/x")), .tab("y", .screen(.first)),
    ])
    let kept = Stage(restoring: try Navigation(tabs, owner: "root"))
    let tree = kept.tree
    #expect(!kept.navigator.removeOrphans() && kept.tree == tree && kept.navigator.orphans == ["root/x"])
    #expect(kept.reports == [.notRestored("root/x"), .refused(.cannotBeEmpty(NodeID(rawValue: 1)))])
  }

  @Test("coordinators of tabs that end in one event are reported in the order of their paths")
  func endedTabsAreReportedInOrder() {
    let stage = Stage()
    var children: [CoordinatorContext<Plain, Int>] = []
    stage.navigator.transaction {
      let tabs = (0..<9).compactMap { index in
        stage.root.embedChild("tab\(index)") { (context: CoordinatorContext<Plain, Int>) in
          children.append(context)
          return Stage.Actor(context) { $0.push(.screen(.second)) }
        }.map { Blueprint<Plain>.Tab.tab(TabKey("\(index)"), $0) }
      }
      guard let root = stage.navigator.navigation?.root.id else { return }
      stage.root.apply(.replace(root, with: .tabs(tabs).owned(by: "root")))
    }
    stage.navigator.transaction { for child in children.reversed() { child.finish(1) } }
    #expect(stage.reports == (0..<9).map { .notReplaced(CoordinatorID("root/tab\($0)")) })
  }
}
