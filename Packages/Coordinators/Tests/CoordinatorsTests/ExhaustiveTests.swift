import Foundation
import TestSupport
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// Applies every intent to every tree of up to five nodes.
///
/// The test checks the counts.
@Suite("Every intent on every small tree")
struct ExhaustiveTests {
  static let plans = blueprints(upTo: 5)
  /// Trees, applied intents, refused intents.
  static let counts = (591, 16_670, 54_805)

  @Test("after every intent the tree is valid and equal to the tree of a following shell")
  func followingShellAgrees() throws {
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
        let commands = after.commands(from: tree)
        let shown = try tree.performing(commands)
        guard after.violations.isEmpty, shown.root == after.root, (commands.isEmpty == (tree.root == after.root)) else {
          Issue.record("\(tree) after \(intent): \(after), \(after.violations), the shell has \(shown)")
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

  @Test("a change of the navigation shows no intermediate screen")
  func noIntermediateScreenIsShown() throws {
    for tree in try blueprints(upTo: 4).map({ try Tree($0) }) {
      var seen: Set<Tree> = []
      for middle in outcomes(of: tree) {
        for after in outcomes(of: middle) where seen.insert(after).inserted {
          guard changesOfSight(from: tree, to: after) <= 1 else {
            Issue.record("\(tree) to \(after): \(after.commands(from: tree))")
            return
          }
        }
      }
    }
  }

  @Test("showing any target from any tree reaches the target, and showing it again changes nothing")
  func showReachesEveryTarget() throws {
    let trees = try blueprints(upTo: 4).map { try Tree($0) }
    for target in blueprints(upTo: 4) {
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
      #expect(try tree.applying(.show(tree.root.blueprint)) == tree)
      #expect(try tree.applying(.show(plan)) == tree)
    }
  }

  /// Returns how often the visible screen changes, or a large number after an intermediate screen.
  private func changesOfSight(from old: Tree, to new: Tree) -> Int {
    var state = old
    var changes = 0
    for command in new.commands(from: old) {
      guard let next = try? state.performing([command]) else { return .max }
      if next.front.id != state.front.id { changes += 1 }
      state = next
    }
    return state.root == new.root ? changes : .max
  }
}
