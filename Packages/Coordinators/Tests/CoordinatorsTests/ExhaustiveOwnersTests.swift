import Foundation
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// Applies every intent to every tree of up to three nodes, with every assignment of three nested owners.
///
/// New nodes are a screen, a stack or tabs of other owners. The test checks the counts of trees and intents.
@MainActor
@Suite("Every intent on every small tree with every owner")
struct ExhaustiveOwnersTests {
  private static let owners: [CoordinatorID] = ["application", "application/child", "application/child/leaf"]
  private static let new: [Plan] = [
    .screen(.b),
    .stack([.screen(.a), .screen(.b).owned(by: "application/child/leaf")]).owned(by: "application/child"),
    .tabs([.tab("0", .screen(.a)), .tab("1", .stack([.screen(.b)]).owned(by: "application/other"))], selected: "1"),
  ]
  private static let trees = blueprints(upTo: 3).flatMap { $0.owned(byEach: owners) }
  private static let counts = (408, 15_610, 44_390)

  @Test("after every intent the tree is valid, and coordinators and screens correspond to each other")
  func coordinatorsCorrespondToScreens() throws {
    var applied = 0
    var refused = 0
    var kinds: (applied: Set<IntentKind>, refused: Set<IntentKind>) = ([], [])
    for plan in Self.trees {
      let tree = try Tree(plan)
      let before = tree.coordinators
      var unused: Run?
      for intent in intents(for: tree, new: Self.new) {
        guard let after = try? tree.applying(intent) else {
          refused += 1
          kinds.refused.insert(IntentKind(intent))
          continue
        }
        applied += 1
        kinds.applied.insert(IntentKind(intent))
        guard after.violations.isEmpty, try tree.performing(after.commands(from: tree)).root == after.root else {
          Issue.record("\(tree) after \(intent): \(after), \(after.violations)")
          return
        }
        let run = unused ?? Run(tree)
        run.apply(intent)
        // An unchanged rig is used again; the next check detects an unexpected change.
        unused = after == tree ? run : nil
        let violations = run.violations(from: before, to: after)
        guard violations.isEmpty else {
          Issue.record("\(tree.root.blueprint) after \(intent): \(violations)")
          return
        }
      }
    }
    #expect((Self.trees.count, applied, refused) == Self.counts)
    // Every kind of intent was tried, and only `show` is always possible.
    #expect(kinds.applied == Set(IntentKind.allCases))
    #expect(kinds.refused == Set(IntentKind.allCases).subtracting([.show]))
  }
}

extension TestScreen: NavigationScreen {
  enum Action: Sendable {}
}

@MainActor
private final class Run {
  private let shell = ContainerShell<TestScreen>()
  private var made: Navigator<TestScreen>?
  private var ended: [CoordinatorID] = []
  private var reports: [CoordinatorReport] = []
  private var members: [Weak] = []

  private struct Weak {
    weak var coordinator: Adopter?
  }

  init(_ tree: Tree) {
    let navigator = Navigator<TestScreen>(
      restoring: tree, report: { [unowned self] in reports.append($0) }, show: shell.show)
    made = navigator
    shell.navigator = navigator
    _ = navigator.start("application", make: make)
  }

  func apply(_ intent: Intent<TestScreen>) { made?.apply(intent) }

  func violations(from before: Set<CoordinatorID>, to after: Tree) -> [String] {
    var found = reports.map(\.description)
    guard let navigator = made else { return ["there is no navigator"] }
    if navigator.navigation?.root != after.root { found.append("the navigation is another") }
    if !shell.agrees(with: after) { found.append("the shell has something else") }
    let running = after.coordinators
    if navigator.coordinators != running { found.append("\(navigator.coordinators) run") }
    let alive = members.count { $0.coordinator != nil }
    if alive != running.count { found.append("\(alive) are in memory") }
    if Set(ended) != before.subtracting(running) || Set(ended).count != ended.count {
      found.append("\(ended) have ended")
    }
    for (index, parent) in ended.enumerated()
    where ended[index...].contains(where: { $0 != parent && parent.contains($0) }) {
      found.append("\(parent) has ended before one below it")
    }
    return found
  }

  private func make(_ context: CoordinatorContext<TestScreen, Never>) -> Adopter {
    let adopter = Adopter(
      context, make: { [unowned self] in make($0) }, ended: { [unowned self] in ended.append($0) })
    members.append(Weak(coordinator: adopter))
    return adopter
  }
}

/// Restores every child that has screens.
@MainActor
private final class Adopter: Coordinator {
  let context: CoordinatorContext<TestScreen, Never>
  private let make: (CoordinatorContext<TestScreen, Never>) -> Adopter
  private let ended: (CoordinatorID) -> Void

  init(
    _ context: CoordinatorContext<TestScreen, Never>,
    make: @escaping (CoordinatorContext<TestScreen, Never>) -> Adopter,
    ended: @escaping (CoordinatorID) -> Void
  ) {
    self.context = context
    self.make = make
    self.ended = ended
  }

  func start() { context.push(.screen(.a)) }

  func restoreChild(_ name: String) -> Bool {
    context.restoreChild(name, make: make) { [ended, id = context.id.child(name)] _ in ended(id) }
  }
}
