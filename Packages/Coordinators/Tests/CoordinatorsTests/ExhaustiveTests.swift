import Foundation
import TestSupport
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// Every intent on every tree of up to five nodes, six with `PROPERTY_COUNT=2`; the counts are checked, so that the bound
/// is what it says.
@Suite("Every intent on every small tree")
struct ExhaustiveTests {
  /// Whether there is time for those of six nodes too; see `PropertyEnvironment`.
  static let isLong =
    ((try? PropertyEnvironment(variables: ProcessInfo.processInfo.environment))?.countMultiplier ?? 1) > 1
  static let plans = blueprints(upTo: isLong ? 6 : 5)
  /// How many trees there are, and how many intents on them are carried out and refused.
  static let counts = isLong ? (3_885, 145_377, 562_632) : (591, 18_171, 73_860)

  @Test("keeps the invariants, and a shell that follows agrees")
  func keepsInvariantsShellFollows() throws {
    var applied = 0
    var refused = 0
    for plan in Self.plans {
      let tree = try Tree(plan)
      #expect(tree.violations.isEmpty)
      let parents = tree.parents
      let ids = tree.ids
      // What is looked at follows from the two trees, and many intents lead to the same.
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
        // An identity that was there stays with its parent, so that nothing moves and no shell has to guess.
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

  @Test("shows no screen in between")
  func showsNoScreenBetween() throws {
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

  @Test("reaches every small target from every small tree, and changes nothing the second time")
  func showsEveryTarget() throws {
    let trees = try blueprints(upTo: 4).map { try Tree($0) }
    for target in blueprints(upTo: 4) {
      // A screen that no tree has, so that reaching it cannot be an accident.
      let marked = target.markingFront()
      for tree in trees {
        for target in [target, marked] {
          let shown = try tree.applying(.show(target))
          let again = try shown.applying(.show(target))
          guard shown.front.screen == target.front, again.root == shown.root, shown.violations.isEmpty else {
            Issue.record("\(tree) showing \(target): \(shown), then \(again)")
            return
          }
        }
      }
    }
  }

  @Test("keeps everything when the target is what is there")
  func showsItself() throws {
    for plan in Self.plans {
      let tree = try Tree(plan)
      #expect(try tree.applying(.show(tree.root.blueprint)) == tree)
      #expect(try tree.applying(.show(plan)) == tree)
    }
  }

  /// How often the screen in sight changes on the way, counting one that is neither the old nor the new one as many.
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
