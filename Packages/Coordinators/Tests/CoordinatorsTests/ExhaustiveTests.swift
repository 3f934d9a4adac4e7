import Foundation
import TestSupport
import Testing

@testable import Coordinators

/// Applies every intent to every tree of up to four nodes.
///
/// The test checks the counts.
@Suite("Every intent on every small tree")
struct ExhaustiveTests {
  static let plans = everyPlan(upTo: 4)
  /// Trees, applied intents, refused intents.
  static let counts = (97, 1_907, 4_852)

  @Test("after every intent the tree is valid, and no node has moved to another parent")
  func treeStaysValid() throws {
    var applied = 0
    var refused = 0
    for plan in Self.plans {
      let tree = try Tree(plan)
      #expect(tree.violations.isEmpty)
      let parents = tree.parents
      let ids = tree.ids
      // The checks depend only on the two trees, and many intents lead to the same tree.
      var seen: Set<Tree> = []
      for intent in intents(for: tree) {
        guard let after = try? tree.applying(intent) else {
          refused += 1
          continue
        }
        applied += 1
        guard seen.insert(after).inserted else { continue }
        guard after.violations.isEmpty else {
          Issue.record("\(tree) after \(intent): \(after), \(after.violations)")
          return
        }
        // A node that stays keeps its parent, so a shell never moves a node.
        for (id, parent) in after.parents where ids.contains(id) {
          guard parents[id] == parent else {
            Issue.record("\(tree) after \(intent): \(after): \(id) has moved")
            return
          }
        }
      }
    }
    #expect((Self.plans.count, applied, refused) == Self.counts)
  }

  @Test("showing any target from any tree reaches the target, and showing it again changes nothing")
  func showReachesEveryTarget() throws {
    let trees = try everyPlan(upTo: 3).map { try Tree($0) }
    for target in everyPlan(upTo: 4) {
      // No tree contains this screen, so only `show` can lead to it.
      let targets = try [target, target.markingFront()].map { ($0, try Tree($0).front.screen) }
      for tree in trees {
        for (target, front) in targets {
          let shown = try tree.applying(.show(target))
          let again = try shown.applying(.show(target))
          guard shown.front.screen == front, again.root == shown.root, shown.violations.isEmpty else {
            Issue.record("\(tree) showing \(target): \(shown), then \(again)")
            return
          }
        }
      }
    }
  }

  @Test("showing the current tree changes nothing")
  func showingCurrentTreeChangesNothing() throws {
    for plan in Self.plans {
      let tree = try Tree(plan)
      #expect(try tree.applying(.show(tree.root)) == tree)
      #expect(try tree.applying(.show(plan)) == tree)
    }
  }
}
